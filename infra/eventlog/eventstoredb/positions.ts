import type { Position as ServerPosition } from '@eventstore/db-client';
import type { Position } from '#ports/eventLog.ts';

/** What servers of 24.10 say when they have looked at nothing that matches. */
const nothing = 2n ** 64n - 1n;

/** A place in `$all`, as text: `commit/prepare`. */
export function formatPosition({ commit, prepare }: ServerPosition): Position {
  return `${commit}/${prepare}`;
}

export function parsePosition(position: Position): ServerPosition {
  const [commit, prepare, ...more] = position.split('/');
  if (commit === undefined || prepare === undefined || more.length > 0) {
    throw new TypeError('a position of this event log has the form commit/prepare');
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

/**
 * Whether a position is that of a record. Checkpoints may lie between records (`X/0`, where a page begins), behind
 * the last one (`X/0` again) or nowhere (`2^64-1` twice); `0/0` is the beginning.
 */
export function isOfRecord({ commit, prepare }: ServerPosition): boolean {
  return commit === prepare && commit !== 0n && commit !== nothing;
}

/** The place that stands for no place at all: before every record. */
export function isNowhere({ commit }: ServerPosition): boolean {
  return commit === nothing;
}

export function comparePositions(a: Position, b: Position): number {
  const left = parsePosition(a);
  const right = parsePosition(b);
  return compare(rank(left.commit), rank(right.commit)) || compare(left.prepare, right.prepare);
}

/** The later of two; null stands before every position. */
export function laterPosition(a: Position | null, b: Position | null): Position | null {
  if (a === null) return b;
  if (b === null) return a;
  return comparePositions(a, b) < 0 ? b : a;
}

function rank(commit: bigint): bigint {
  return commit === nothing ? -1n : commit;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
