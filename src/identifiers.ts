import { hash, randomUUID } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A uuid (version 5, RFC 9562) that the same command always derives for the same part of its work, so that
 * whatever it repeats after a crash or a lost reply is recognised as a repetition.
 * (Packages that make them take ten times as long, and every write derives several.)
 * @param commandId a uuid
 * @throws TypeError when `commandId` is not a uuid
 */
export function derivedId(commandId: string, ...parts: (string | number | bigint)[]): string {
  if (!isUuid(commandId)) throw new TypeError('a command id must be a uuid');
  let name = '';
  for (const part of parts) name += lengthPrefixed(part);
  const namespace = Buffer.from(commandId.replaceAll('-', ''), 'hex');
  const digest = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'hex');
  const variant = ((parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return (
    `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-` +
    `${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  );
}

/**
 * The id of a resource that a command makes: as random as the command's own id, in the form of a version 4
 * uuid, which clients check for; and the same again when the command is repeated.
 */
export function resourceId(commandId: string, part: string): string {
  const id = derivedId(commandId, 'resource', part);
  return `${id.slice(0, 14)}4${id.slice(15)}`;
}

/** A random uuid (version 4). */
export function randomId(): string {
  return randomUUID();
}

/** Whether a text is a uuid of any version. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** Keeps ('ab', 'c') and ('a', 'bc') apart. */
function lengthPrefixed(part: string | number | bigint): string {
  const text = String(part);
  return `${text.length}:${text}`;
}
