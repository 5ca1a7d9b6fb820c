import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { textDigest } from '#src/textDigest.ts';
import { stableJson } from '#src/outgoing/stableJson.ts';
import type { IntegrityAlarm } from '#ports/integrityAlarm.ts';
import type { SignedState, StateSigner } from '#ports/stateSigner.ts';
import { IntegrityError } from '#ports/vault.ts';

/** @param key the system key `rights` */
export function createStateSigner(key: () => Promise<KeyObject>, alarm: IntegrityAlarm): StateSigner {
  const macOf = async ({ stream, revision, content }: Omit<SignedState, 'mac'>): Promise<string> =>
    rightsMac(await key(), ['state', stream, String(revision), stableJson(digested(content))]);
  return {
    sign: macOf,
    check: async (state) => {
      const { stream, mac } = state;
      if (isSameMac(mac, await macOf(state))) return;
      const what = mac === null || mac === undefined ? 'no mac' : 'mac';
      alarm({ kind: stream.slice(0, stream.indexOf('-')), name: stream, what });
      throw new IntegrityError('rights do not carry the MAC that they were given with');
    },
  };
}

const textMember = /^(.+)_text$/;

/** With long texts as their digests. */
const digested = (content: object): object =>
  Object.fromEntries(
    Object.entries(content).map(([name, value]: [string, unknown]) => {
      const [, what] = textMember.exec(name) ?? [];
      return what === undefined ? [name, value] : [`${what}_digest`, textDigest(String(value))];
    }),
  );

/** HMAC-SHA-256 of texts, of which the first says what they are, in base64url. */
export const rightsMac = (key: KeyObject, texts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url');

/** In constant time. */
export function isSameMac(given: string | null | undefined, right: string): boolean {
  if (given === null || given === undefined) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
