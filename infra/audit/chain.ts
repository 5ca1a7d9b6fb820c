import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** What a chain begins with: no other writer's entries can be put in its place. */
export const firstTag = (key: KeyObject, writerId: string): string =>
  createHmac('sha256', key).update(`audit chain of ${writerId}`).digest('hex');

/** The tag of an entry covers the entry and, by the tag before, all that were written before it. */
export const nextTag = (key: KeyObject, previous: string, line: string): string =>
  createHmac('sha256', key).update(`${previous}\n${line}`).digest('hex');
