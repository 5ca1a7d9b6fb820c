import ipaddr from 'ipaddr.js';
import { isWithin, parseAddress } from '#src/addresses.ts';
import type { Address } from '#src/addresses.ts';
import { isHostName } from '#infra/outbound/target.ts';
import type { OutboundException } from '#src/settingValues.ts';
import { StartupError } from '#src/startupError.ts';

/** What the operator lets tenants reach although the guard would refuse it. */
export type Exceptions = {
  allowsName(host: string, port: number): boolean;
  allowsAddress(address: Address, port: number): boolean;
};

type Opening = { port: number | undefined; name?: string; network?: [Address, number] };

/**
 * A name opens whatever it resolves to; an address or network opens what lies in it, whatever name led there.
 * @throws StartupError for a host that is neither
 */
export function readExceptions(entries: readonly OutboundException[]): Exceptions {
  const openings = entries.map(openingOf);
  const some = (port: number, opens: (opening: Opening) => boolean): boolean =>
    openings.some((opening) => (opening.port === undefined || opening.port === port) && opens(opening));
  return {
    allowsName: (host, port) => some(port, ({ name }) => name === host),
    allowsAddress: (address, port) =>
      some(port, ({ network }) => network !== undefined && isWithin(address, network)),
  };
}

function openingOf({ host, port }: OutboundException): Opening {
  const text = host.replace(/^\[([0-9a-f:.]*:[0-9a-f:.]*)\]/i, '$1').toLowerCase();
  const address = parseAddress(text);
  if (address !== undefined) return { port, network: [address, address.kind() === 'ipv4' ? 32 : 128] };
  if (ipaddr.isValidCIDR(text)) return { port, network: ipaddr.parseCIDR(text) };
  // A name that ends in a number never reaches the resolver: URL parsers take it for an address.
  const name = text.replace(/\.$/, '');
  if (isHostName(name) && URL.canParse(`https://${name}`) && new URL(`https://${name}`).hostname === name) {
    return { port, name };
  }
  throw new StartupError(
    `HOLDFAST_OUTBOUND_ALLOW holds '${host}', which is neither a host name, nor an address, nor a network.`,
  );
}
