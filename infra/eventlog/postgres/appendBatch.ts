import type pg from 'pg';
import { arrayLiteral } from '#infra/postgres/arrayLiteral.ts';
import type { Append, AppendVerdict, ExpectedRevision } from '#ports/eventLog.ts';

type SerializedAppend = {
  stream: string;
  expected: ExpectedRevision;
  ids: string[];
  types: string[];
  data: string[];
  metadata: string[];
};

/** The members of one `appendAll`: written together or not at all. */
export type AppendGroup = {
  appends: SerializedAppend[];
  streams: string[];
  /** The length of its JSON texts, in UTF-16 units. */
  size: number;
};

/** The JSON is written here, in the caller's turn: what cannot be written fails its own append only. */
export function serializeGroup(appends: readonly Append[]): AppendGroup {
  const serialized = appends.map(serializeAppend);
  return {
    appends: serialized,
    streams: serialized.map((append) => append.stream),
    size: serialized.reduce((total, append) => total + textLength(append), 0),
  };
}

function serializeAppend({ stream, expected, events }: Append): SerializedAppend {
  return {
    stream,
    expected,
    ids: events.map((event) => event.id),
    types: events.map((event) => event.type),
    data: events.map((event) => JSON.stringify(event.data)),
    metadata: events.map((event) => JSON.stringify(event.metadata)),
  };
}

function textLength({ data, metadata }: SerializedAppend): number {
  return [...data, ...metadata].reduce((total, text) => total + text.length, 0);
}

/** Appends groups in one transaction; a list of verdicts for each. No two groups name the same stream. */
export async function appendBatch(
  client: pg.ClientBase,
  groups: readonly AppendGroup[],
): Promise<AppendVerdict[][]> {
  const result = await client.query<AnswerRow>({
    name: 'event_log_append',
    text: 'select head, written from event_log.append($1, $2, $3, $4, $5, $6, $7, $8)',
    values: batchParameters(groups),
    rowMode: 'array',
  });
  let answered = 0;
  return groups.map(({ appends }) => {
    const answers = result.rows.slice(answered, answered + appends.length);
    answered += appends.length;
    return groupVerdicts(appends, answers);
  });
}

/** The revision the stream had (`-1`: none), and the position of the last event written. */
type AnswerRow = [head: string, written: string | null];

/**
 * Lists of numbers and uuids are written as array literals, and JSON texts as lines (JSON holds no raw line
 * break), because escaping each element would cost more than everything else that an append does here.
 */
function batchParameters(groups: readonly AppendGroup[]): unknown[] {
  const appends = groups.flatMap((group) => group.appends);
  return [
    appends.map((append) => append.stream),
    arrayLiteral(appends.map((append) => revisionNumber(append.expected))),
    arrayLiteral(appends.map((append) => append.ids.length)),
    arrayLiteral(groups.flatMap((group, number) => group.appends.map(() => number))),
    arrayLiteral(appends.flatMap((append) => append.ids)),
    appends.flatMap((append) => append.types),
    appends.flatMap((append) => append.data).join('\n'),
    appends.flatMap((append) => append.metadata).join('\n'),
  ];
}

function groupVerdicts(appends: readonly SerializedAppend[], answers: readonly AnswerRow[]): AppendVerdict[] {
  const refused = answers.some(([, written]) => written === null);
  if (!refused) return appends.map((append, index) => appendedVerdict(append, answers[index]));
  const culprit = appends.findIndex((append, index) => conflicts(append, answers[index]));
  return appends.map((append, index) =>
    index === culprit ? conflictVerdict(append, answers[index]) : { outcome: 'not_attempted' },
  );
}

function conflicts(append: SerializedAppend, answer: AnswerRow | undefined): boolean {
  return answer?.[1] === null && BigInt(answer[0]) !== revisionNumber(append.expected);
}

function appendedVerdict(append: SerializedAppend, answer: AnswerRow | undefined): AppendVerdict {
  const position = answer?.[1];
  if (typeof position !== 'string') throw new Error('the event log answered no position');
  const revision = revisionNumber(append.expected) + BigInt(append.ids.length);
  return { outcome: 'appended', revision, position };
}

function conflictVerdict(append: SerializedAppend, answer: AnswerRow | undefined): AppendVerdict {
  const head = BigInt(answer?.[0] ?? -1);
  const { stream, expected } = append;
  return { outcome: 'conflict', stream, expected, actual: head < 0n ? 'none' : head };
}

function revisionNumber(expected: ExpectedRevision): bigint {
  return expected === 'none' ? -1n : expected;
}
