import type { Position as ServerPosition } from '@eventstore/db-client';
import type { Position } from '#ports/eventLog.ts';

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

export function comparePositions(a: Position, b: Position): number {
  const left = parsePosition(a);
  const right = parsePosition(b);
  return compare(left.commit, right.commit) || compare(left.prepare, right.prepare);
}

/** The later of two; null stands before every position. */
export function laterPosition(a: Position | null, b: Position | null): Position | null {
  if (a === null) return b;
  if (b === null) return a;
  return comparePositions(a, b) < 0 ? b : a;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
