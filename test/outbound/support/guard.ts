import { createOutbound } from '#infra/outbound/outbound.ts';
import type { OutboundSettings } from '#infra/outbound/outbound.ts';
import type { Resolver } from '#infra/outbound/resolver.ts';
import { OutboundFailed } from '#ports/outbound.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '#ports/outbound.ts';
import { readConfig } from '#src/config.ts';
import { authority } from '#test/outbound/support/servers.ts';

export type FakeResolver = Resolver & {
  /** Names that were asked for, in their order. */
  asked: string[];
};

/** Knows a few names. Of several lists, the first question gets the first, and the last one stays. */
export function fakeResolver(names: Record<string, readonly string[] | readonly string[][]>): FakeResolver {
  const asked: string[] = [];
  const resolve = (name: string): Promise<string[]> => {
    const answers = (names[name] ?? []).map((answer) => answer);
    const earlier = asked.filter((one) => one === name).length;
    asked.push(name);
    const lists = answers.filter((answer) => typeof answer !== 'string');
    if (lists.length === 0) return Promise.resolve(answers as string[]);
    return Promise.resolve(lists[Math.min(earlier, lists.length - 1)] ?? []);
  };
  return { asked, resolve, resolveHere: resolve };
}

/** An address that passes every check; with `reachingLoopback` the test's own server answers there. */
export const publicAddress = '8.8.8.8';

/** `shop.example` and `other.example` are public, and lead to this machine. */
export function reachingLoopback(settings: Partial<OutboundSettings> = {}): Outbound {
  return createOutbound({
    exceptions: [],
    resolver: fakeResolver({ 'shop.example': [publicAddress], 'other.example': [publicAddress] }),
    certificateAuthorities: [authority.certificate],
    reach: () => '127.0.0.1',
    ...settings,
  });
}

/** As the setting is read. */
export function exceptionsOf(setting: string): OutboundSettings['exceptions'] {
  return readConfig({ HOLDFAST_OUTBOUND_ALLOW: setting }).outboundAllow;
}

/** What a call fails with, in words that can be compared; the text of the body when it does not fail. */
export async function outcomeOf(
  outbound: Outbound,
  request: Omit<OutboundRequest, 'tenantId'>,
): Promise<string> {
  let answer: OutboundAnswer;
  try {
    answer = await outbound.send({ tenantId: 'tenant', ...request });
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
    const { reason, obstacle, phase, part } = error as OutboundFailed & Record<string, string | undefined>;
    return `${error.name} ${reason ?? obstacle ?? phase ?? part}`;
  }
  return `${answer.status} ${Buffer.from(answer.body).toString()}`;
}
