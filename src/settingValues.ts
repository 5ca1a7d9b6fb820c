import { parseNetwork } from '#src/addresses.ts';
import type { Network } from '#src/addresses.ts';
import { isRateScope, standardRateLimits } from '#src/rateLimits.ts';
import type { RateLimits } from '#src/rateLimits.ts';

/** A setting that is wrong: one sentence that names it and says what would be right. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** A host, `host:port` or network that tenant-steered calls may reach although the guard would refuse it. */
export type OutboundException = { host: string; port: number | undefined };

export const wrong = (name: string, text: string, right: string): SettingError =>
  new SettingError(`${name} is '${text}' and must be ${right}.`);

export function wholeNumber(
  name: string,
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw wrong(name, text, `a whole number from ${least} to ${most}`);
}

export function oneOf<Choice extends string>(
  name: string,
  text: string | undefined,
  fallback: Choice,
  choices: readonly Choice[],
): Choice {
  if (text === undefined) return fallback;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw wrong(name, text, `one of ${choices.join(', ')}`);
  return choice;
}

export function urlOf(name: string, text: string, protocols: readonly string[]): string {
  // The value may hold a password, so the message does not repeat it.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new SettingError(
      `${name} must be a URL that starts with ${protocols.map((one) => `${one}//`).join(' or ')}.`,
    );
  }
  return text;
}

export function httpUrl(name: string, text: string): string {
  return urlOf(name, text, ['http:', 'https:']).replace(/(?<!\/)\/+$/, '');
}

export function outboundException(entry: string): OutboundException {
  const match =
    /^(\[[0-9a-f:.]+\](?:\/\d{1,3})?|[0-9a-f:]{0,45}:[0-9a-f:.]{0,45}\/\d{1,3}|[^\s:[\]]+)(?::(\d{1,5}))?$/i.exec(
      entry,
    );
  const port = match?.[2] === undefined ? undefined : Number(match[2]);
  if (match?.[1] === undefined || (port !== undefined && (port < 1 || port > 65_535))) {
    throw wrong(
      'HOLDFAST_OUTBOUND_ALLOW',
      entry,
      "a list of 'host', 'host:port' or networks such as '10.0.0.0/8'",
    );
  }
  return { host: match[1], port };
}

/** Undefined: nothing is limited. */
export function rateLimits(name: string, text: string | undefined): RateLimits | undefined {
  if (text === 'off') return undefined;
  if (text === undefined || text === 'on') return standardRateLimits;
  const own = text.split(',').map((entry): [string, number] => {
    const [scope = '', figure] = entry.trim().split('=');
    if (figure !== undefined && isRateScope(scope)) {
      return [scope, wholeNumber(name, figure, 0, 1, 1_000_000_000)];
    }
    const scopes = Object.keys(standardRateLimits).join(', ');
    throw wrong(name, text, `on, off, or figures such as 'global=1000' for ${scopes}`);
  });
  return { ...standardRateLimits, ...Object.fromEntries(own) };
}

export function networks(name: string, text: string | undefined): Network[] {
  return (text?.split(',') ?? []).map((entry) => {
    const network = parseNetwork(entry.trim());
    if (network !== undefined) return network;
    throw wrong(name, entry.trim(), "a list of addresses or networks such as '10.0.0.0/8'");
  });
}

export function limitedDuration(
  name: string,
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return fallback;
  const value = duration(name, text);
  if (value >= least && value <= most) return value;
  throw wrong(name, text, `a duration from ${least}ms to ${most / 1000}s`);
}

export function duration(name: string, text: string | undefined): number {
  if (text === undefined || text === '0') return 0;
  const match = /^(-?\d+)(ms|s|m|h|d)$/.exec(text);
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw wrong(name, text, "a duration such as '61m', '-2d' or '90s'");
  }
  return Number(match[1]) * unit;
}
