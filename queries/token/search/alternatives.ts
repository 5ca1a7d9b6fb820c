import { queryFault, TermReader } from '#queries/token/search/terms.ts';
import type { Term } from '#queries/token/search/terms.ts';

/** Terms that must all hold. */
export type Conjunction = readonly Term[];

/** Of a query that is multiplied out; each is a lookup of its own. */
export const mostAlternatives = 25;
/** Parentheses inside each other. */
export const deepest = 8;

/**
 * Takes a query apart: terms that are joined by AND and OR, and grouped by parentheses, also behind a field
 * (`type:(card OR bank)`). AND binds stronger. Source: Lucene, StandardSyntaxParser.
 * @returns conjunctions, any of which may hold; one without terms for an empty query
 * @throws ValidationFailed that says at which character it cannot be read, or asks for too much
 */
export function readAlternatives(query: string): Conjunction[] {
  const reader = new TermReader(query);
  reader.skipSpaces();
  if (reader.atEnd) return [[]];
  const alternatives = readAny(reader, { depth: 0 });
  if (!reader.atEnd) throw queryFault(reader.place, unexpected(reader));
  return alternatives;
}

/** @param field whose values stand in this group @param depth of the group */
type Group = { depth: number; field?: { name: string; at: number } };

function readAny(reader: TermReader, group: Group): Conjunction[] {
  const alternatives = readAll(reader, group);
  for (let place = reader.place; reader.takeOperator('OR'); place = reader.place) {
    alternatives.push(...readAll(reader, group));
    refuseIfMore(alternatives.length, place);
  }
  return alternatives;
}

function readAll(reader: TermReader, group: Group): Conjunction[] {
  let alternatives = readOne(reader, group);
  for (let place = reader.place; reader.takeOperator('AND'); place = reader.place) {
    const others = readOne(reader, group);
    refuseIfMore(alternatives.length * others.length, place);
    alternatives = alternatives.flatMap((one) => others.map((other) => [...one, ...other]));
  }
  return alternatives;
}

function readOne(reader: TermReader, group: Group): Conjunction[] {
  const { place } = reader;
  if (reader.takeOpening()) return readGroup(reader, { ...group, depth: group.depth + 1 }, place);
  const field = group.field ?? { at: place, name: reader.field() };
  const opened = reader.place;
  if (group.field === undefined && reader.takeOpening()) {
    return readGroup(reader, { depth: group.depth + 1, field }, opened);
  }
  const term = { field: field.name, at: field.at, valueAt: reader.place, value: reader.value() };
  reader.skipSpaces();
  return [[term]];
}

function readGroup(reader: TermReader, group: Group, place: number): Conjunction[] {
  if (group.depth > deepest) {
    throw queryFault(place, `there must be at most ${deepest} parentheses inside each other`);
  }
  reader.skipSpaces();
  const alternatives = readAny(reader, group);
  if (!reader.takeClosing()) {
    throw reader.atEnd
      ? queryFault(place, 'a parenthesis is opened and not closed')
      : queryFault(reader.place, unexpected(reader));
  }
  reader.skipSpaces();
  return alternatives;
}

const unexpected = (reader: TermReader): string =>
  reader.takeClosing()
    ? 'a parenthesis is closed and not opened'
    : 'terms must be joined by AND or OR, in capitals';

function refuseIfMore(alternatives: number, place: number): void {
  if (alternatives <= mostAlternatives) return;
  throw queryFault(
    place,
    `the query must come to at most ${mostAlternatives} alternatives; this one comes to more, once AND is multiplied out over OR`,
  );
}
