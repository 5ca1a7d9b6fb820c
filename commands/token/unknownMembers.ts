import type { FaultList } from '#commands/attributes.ts';

/** What a request may say of a token. */
const known = [
  'type',
  'data',
  'mask',
  'containers',
  'privacy',
  'metadata',
  'search_indexes',
  'fingerprint_expression',
  'deduplicate_token',
  'expires_at',
] as const;
/** Of answers, and of earlier and later versions: none of them is a slip of the pen. */
const others = new Set<string>([
  ...known,
  'id',
  'encryption',
  'fingerprint',
  'aliases',
  'created_at',
  'updated_at',
]);

/** Further names for what is known, as other interfaces have them. */
const synonyms = new Map([
  ['ttl', 'expires_at'],
  ['deduplicate', 'deduplicate_token'],
]);
/** Data in another form, of later versions: the token would be made without it. */
const otherData = new Set(['encrypted', 'token_intent_id']);

/**
 * Adds a fault for each member that is nearly one that is known. Client libraries send members of later versions, which
 * are overlooked; but a misspelt one may be what restricts the token, or ends it.
 */
export function refuseMisspelt(
  request: object,
  path: (attribute: string) => string,
  faults: FaultList,
): void {
  for (const [name, value] of Object.entries(request)) {
    if (value === null || value === '') continue;
    const meant = meantBy(name);
    if (meant !== undefined) {
      faults.add(path(name), `is not a property that is known here: it must be ${meant}`);
    }
    if (otherData.has(name)) faults.add(path(name), 'is not a property that is known here: send data');
  }
}

const meantBy = (name: string): string | undefined =>
  others.has(name) ? undefined : (synonyms.get(name) ?? known.find((one) => isNear(bare(name), bare(one))));

const bare = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Whether one letter makes the difference: too much, missing, or another. Of long names two. */
function isNear(one: string, other: string): boolean {
  const most = other.length > 6 ? 2 : 1;
  return Math.abs(one.length - other.length) <= most && distance(one, other) <= most;
}

/** How many letters are to be changed to make one of the other. Source: Levenshtein */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [index, wanted] of [...other].entries()) {
      const changed = (row[index] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
