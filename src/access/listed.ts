import { grantsOf } from '#access/evaluate.ts';
import type { Grant, Rights } from '#access/evaluate.ts';

/** How a list is narrowed to what a caller has a permission for. Undefined members do not narrow. */
export type Listed = {
  /** Container paths: a token lies in or below one of them. */
  containers: string[] | undefined;
  /** The only tokens that there can be. */
  ids: string[] | undefined;
  /** Where containers do not say it all: a token meets one grant of each list. */
  grants: (readonly Grant[])[] | undefined;
};

/** Most callers are bound by containers alone, which lists and counters know best. */
export function listedFor(rights: Rights, permission: string): Listed {
  const lists = grantsOf(rights, permission);
  const [first] = lists;
  const containers = first?.map(containerOf);
  if (lists.length <= 1 && containers?.every((container) => container !== undefined) !== false) {
    return { containers, ids: undefined, grants: undefined };
  }
  return { containers: undefined, ids: idsIn(lists), grants: lists };
}

function containerOf(grant: Grant): string | undefined {
  const [only, ...others] = grant;
  const isPath = only?.attribute === 'container' && only.operator === 'starts_with' && others.length === 0;
  return isPath ? only.value : undefined;
}

/** The ids that every grant of some list names. */
function idsIn(lists: readonly (readonly Grant[])[]): string[] | undefined {
  const named = lists.map((grants) => grants.map(idOf));
  return named.find((ids): ids is string[] => ids.every((id) => id !== undefined));
}

const idOf = (grant: Grant): string | undefined =>
  grant.find(({ attribute, operator }) => attribute === 'id' && operator === 'equals')?.value;
