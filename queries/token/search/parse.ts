import { normalizeContainer } from '#domain/container.ts';
import { parseExpiry } from '#domain/token/expiry.ts';
import type { TokenFilter } from '#queries/token/filter.ts';
import { readAlternatives } from '#queries/token/search/alternatives.ts';
import type { Conjunction } from '#queries/token/search/alternatives.ts';
import { queryFault } from '#queries/token/search/terms.ts';
import type { RangeEnd, Term } from '#queries/token/search/terms.ts';

/** Gathers what terms ask for; of a field that is named twice both must hold. */
type Gathered = {
  ids: string[][];
  types: string[][];
  fingerprints: string[];
  containers: string[];
  data: string[];
  metadata: Record<string, string>;
  createdFrom: Date | undefined;
  createdTo: Date | undefined;
  nothing: boolean;
};

const fields = 'id, data, metadata.<name>, type, fingerprint, container, created_at';

/**
 * What a search query asks for; tokens are wanted that any of the filters finds. Source: reference of token search, with
 * the fields of its older grammar.
 * @throws ValidationFailed that says at which character it cannot be understood
 */
export const parseQuery = (query: string): TokenFilter[] => readAlternatives(query).map(filterOfAll);

function filterOfAll(terms: Conjunction): TokenFilter {
  const gathered: Gathered = {
    ids: [],
    types: [],
    fingerprints: [],
    containers: [],
    data: [],
    metadata: Object.create(null) as Record<string, string>,
    createdFrom: undefined,
    createdTo: undefined,
    nothing: false,
  };
  for (const term of terms) gather(gathered, term);
  return filterOf(gathered);
}

/** Fields that have one value. */
const textFields = new Map<string, (gathered: Gathered, text: string) => void>([
  ['id', ({ ids }, text) => ids.push([text])],
  ['type', ({ types }, text) => types.push([text])],
  ['fingerprint', ({ fingerprints }, text) => fingerprints.push(text)],
  ['container', ({ containers }, text) => containers.push(normalizeContainer(text))],
  ['data', ({ data }, text) => data.push(text)],
]);

function gather(gathered: Gathered, term: Term): void {
  const { field, at } = term;
  const gatherText = textFields.get(field);
  const metadata = metadataName(field);
  if (field === 'created_at') gatherCreation(gathered, term);
  else if (metadata !== undefined) gatherMetadata(gathered, metadata, textOf(term));
  else if (gatherText !== undefined) gatherText(gathered, textOf(term));
  else throw queryFault(at, `there is no field '${field}': it must be one of ${fields}`);
}

function metadataName(field: string): string | undefined {
  return /^metadata\.(.+)$/s.exec(field)?.[1];
}

function gatherMetadata(gathered: Gathered, name: string, value: string): void {
  const before = gathered.metadata[name];
  gathered.nothing ||= before !== undefined && before.toLowerCase() !== value.toLowerCase();
  gathered.metadata[name] = value;
}

function textOf({ field, at, value }: Term): string {
  if (value.kind === 'range') throw queryFault(at, `'${field}' must have one value, not a range`);
  return value.text;
}

function gatherCreation(gathered: Gathered, { value, valueAt }: Term): void {
  if (value.kind === 'text') {
    const { first, last } = stretchOf({ text: value.text, at: valueAt, inclusive: true });
    narrow(gathered, first, last);
    return;
  }
  const { from, to } = value;
  // Times of creation are whole milliseconds.
  const first = from && (from.inclusive ? stretchOf(from).first : stretchOf(from).last + 1);
  const last = to && (to.inclusive ? stretchOf(to).last : stretchOf(to).first - 1);
  narrow(gathered, first, last);
}

/** Both in milliseconds since 1970, and inclusive. */
function narrow(gathered: Gathered, first = -Infinity, last = Infinity): void {
  const { createdFrom, createdTo } = gathered;
  if (first > (createdFrom?.getTime() ?? -Infinity)) gathered.createdFrom = new Date(first);
  if (last < (createdTo?.getTime() ?? Infinity)) gathered.createdTo = new Date(last);
}

const millisecondsOfDay = 86_400_000;

/** The first and the last millisecond, since 1970, of what a time says: of a day all of it, in UTC. */
function stretchOf({ text, at }: RangeEnd): { first: number; last: number } {
  const moment = parseExpiry(text);
  if (moment === undefined) throw queryFault(at, `'${text}' must be an ISO 8601 date or time`);
  const first = Date.parse(moment);
  const isDay = !text.includes(':');
  return { first, last: isDay ? first + millisecondsOfDay - 1 : first };
}

function filterOf(gathered: Gathered): TokenFilter {
  const { fingerprints, containers, data, metadata, createdFrom, createdTo } = gathered;
  const [fingerprint] = fingerprints;
  const contradicts = gathered.nothing || fingerprints.some((other) => other !== fingerprint);
  const ids = intersection(gathered.ids);
  return {
    ids: contradicts ? [] : ids,
    types: intersection(gathered.types),
    fingerprint,
    containers: containers.length === 0 ? undefined : containers,
    data: data.length === 0 ? undefined : [...new Set(data)],
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    createdFrom,
    createdTo,
  };
}

/** What is in all lists; undefined when there is none. */
function intersection(lists: readonly (readonly string[])[]): string[] | undefined {
  const [first, ...others] = lists;
  return first?.filter((item) => others.every((list) => list.includes(item)));
}
