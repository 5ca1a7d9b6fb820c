import { normalizeContainer } from '#domain/container.ts';
import { parseExpiry } from '#domain/token/expiry.ts';
import type { TokenFilter } from '#queries/token/filter.ts';
import { queryFault, readTerms, unquoted } from '#queries/token/search/terms.ts';
import type { RangeEnd, Term, TermValue } from '#queries/token/search/terms.ts';

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
 * What a search query asks for. Source: reference of token search, with the fields of its older grammar.
 * @throws ValidationFailed that says at which character it cannot be understood
 */
export function parseQuery(query: string): TokenFilter {
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
  for (const term of readTerms(query)) gather(gathered, term);
  return filterOf(gathered);
}

function gather(gathered: Gathered, term: Term): void {
  const { field, at, value } = term;
  if (field === 'created_at') {
    gatherCreation(gathered, value, at);
    return;
  }
  const text = textOf(term);
  if (field.startsWith('metadata.') && field.length > 'metadata.'.length) {
    const name = field.slice('metadata.'.length);
    gatherMetadata(gathered, name.startsWith('"') ? unquoted(name) : name, text);
    return;
  }
  switch (field) {
    case 'id':
      gathered.ids.push([text]);
      return;
    case 'type':
      gathered.types.push([text]);
      return;
    case 'fingerprint':
      gathered.fingerprints.push(text);
      return;
    case 'container':
      gathered.containers.push(normalizeContainer(text));
      return;
    case 'data':
      gathered.data.push(text);
      return;
    default:
      throw queryFault(at, `'${field}' must be one of ${fields}`);
  }
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

function gatherCreation(gathered: Gathered, value: TermValue, at: number): void {
  if (value.kind === 'text') {
    const moment = momentOf({ text: value.text, at: at + 'created_at:'.length, inclusive: true });
    narrow(gathered, moment, moment);
    return;
  }
  const { from, to } = value;
  // Times of creation are whole milliseconds.
  const first = from && new Date(momentOf(from).getTime() + (from.inclusive ? 0 : 1));
  const last = to && new Date(momentOf(to).getTime() - (to.inclusive ? 0 : 1));
  narrow(gathered, first, last);
}

function narrow(gathered: Gathered, from: Date | undefined, to: Date | undefined): void {
  const { createdFrom, createdTo } = gathered;
  if (from !== undefined && (createdFrom === undefined || from > createdFrom)) gathered.createdFrom = from;
  if (to !== undefined && (createdTo === undefined || to < createdTo)) gathered.createdTo = to;
}

function momentOf({ text, at }: RangeEnd): Date {
  const moment = parseExpiry(text);
  if (moment === undefined) throw queryFault(at, `'${text}' must be an ISO 8601 date or time`);
  return new Date(moment);
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
