import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/**
 * What a chain begins with: no other writer's entries can be put in its place.
 * @param number of the writer in the register; undefined: its chain is older than that, or has no entry yet
 */
export const firstTag = (key: KeyObject, writerId: string, number?: number): string =>
  createHmac('sha256', key)
    .update(`audit chain of ${writerId}${number === undefined ? '' : `\n${number}`}`)
    .digest('hex');

/** The tag of an entry covers the entry and, by the tag before, all that were written before it. */
export const nextTag = (key: KeyObject, previous: string, line: string): string =>
  createHmac('sha256', key).update(`${previous}\n${line}`).digest('hex');
