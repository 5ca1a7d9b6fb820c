import { randomUUID } from 'node:crypto';
import { v5 } from 'uuid';

/**
 * A uuid (version 5) that the same command always derives for the same part of its work, so that whatever it
 * repeats after a crash or a lost reply is recognised as a repetition.
 * @param commandId a uuid
 * @throws TypeError when `commandId` is not a uuid
 */
export function derivedId(commandId: string, ...parts: (string | number | bigint)[]): string {
  return v5(parts.map(lengthPrefixed).join(''), commandId);
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
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** Keeps ('ab', 'c') and ('a', 'bc') apart. */
function lengthPrefixed(part: string | number | bigint): string {
  const text = String(part);
  return `${text.length}:${text}`;
}
