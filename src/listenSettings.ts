import { setting } from '#src/setting.ts';
import { httpUrl, wholeNumber, wrong } from '#src/settingValues.ts';

/** Where something listens; undefined hosts: where the service does. */
export type ListenAddress = { hosts: string[] | undefined; port: number };

/** Where the service listens, and is found. */
export const listenSettings = {
  port: setting('PORT', '3000', 'TCP port to listen on.', (text) =>
    wholeNumber('PORT', text, 3000, 0, 65_535),
  ),
  hosts: setting(
    'HOST',
    'IPv4 and IPv6 loopback',
    'Address to listen on, or several separated by commas (`0.0.0.0,::` for all).',
    (text) => (text === undefined ? ['127.0.0.1', '::1'] : text.split(',').map((host) => host.trim())),
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    'http://localhost:<PORT>',
    'Where clients reach the service; links that it hands out start with this.',
    (text) => (text === undefined ? undefined : httpUrl('PUBLIC_URL', text)),
  ),
  metricsAddress: setting(
    'HOLDFAST_METRICS_ADDRESS',
    'unset: where the service listens',
    'Where `/metrics` is answered instead: `9464` (that port of the addresses in `HOST`), `10.0.0.5:9464` or `[::1]:9464`. It is 404 where clients are, then.',
    (text) => (text === undefined ? undefined : listenAddress('HOLDFAST_METRICS_ADDRESS', text)),
  ),
} as const;

function listenAddress(name: string, text: string): ListenAddress {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port < 1 || port > 65_535) {
    throw wrong(name, text, "a port, or an address and a port such as '127.0.0.1:9464' or '[::1]:9464'");
  }
  const host = bracketed ?? plain;
  return { hosts: host === undefined ? undefined : [host], port };
}
