import { jsonEvent, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import type { AppendResult } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { atLeader, connected, tryTime } from '#infra/eventlog/eventstoredb/deadline.ts';
import { appendFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import { formatPosition } from '#infra/eventlog/eventstoredb/positions.ts';
import { readStream, streamHead } from '#infra/eventlog/eventstoredb/reader.ts';
import type { Append, Appended, AppendVerdict, ExpectedRevision, Position } from '#ports/eventLog.ts';
import { LogUnavailable, StreamLost, UnknownOutcome, WrongExpectedRevision } from '#ports/eventLog.ts';

/** So many streams of a list are appended to at the same time: as many calls as a server takes on one connection. */
const atOnce = 100;

/** @throws WrongExpectedRevision @throws LogUnavailable @throws UnknownOutcome @throws StreamLost @throws AppendTooLarge */
export function append(connection: Connection, single: Append): Promise<Appended> {
  return atLeader(() => appendOnce(connection, single));
}

async function appendOnce(connection: Connection, { stream, expected, events }: Append): Promise<Appended> {
  const { client, names, credentials } = connection;
  const deadline = await connected(connection);
  const result = await client
    .appendToStream(names.onServer(stream), events.map(jsonEvent), {
      expectedRevision: expected === 'none' ? NO_STREAM : expected,
      requiresLeader: true,
      credentials,
      deadline,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof WrongExpectedVersionError)) throw appendFailure(error);
      const actual = await actualRevision(connection, stream, error.actualVersion);
      throw new WrongExpectedRevision(stream, expected, actual);
    });
  // A stream that was deleted goes on where it ended, so only the server knows.
  const revision = result.nextExpectedRevision;
  return { outcome: 'appended', revision, position: await positionOf(connection, stream, revision, result) };
}

/**
 * Many at once, until one is refused. Once something is written, a later failure
 * leaves the list as a whole in doubt: the same list again finds out.
 */
export async function appendAll(
  connection: Connection,
  appends: readonly Append[],
): Promise<AppendVerdict[]> {
  const verdicts: AppendVerdict[] = [];
  const started = performance.now();
  while (verdicts.length < appends.length) {
    if (performance.now() - started > tryTime) throw new UnknownOutcome('a list of appends took too long');
    const begun = verdicts.length;
    const next = appends.slice(begun, begun + atOnce);
    const settled = await Promise.allSettled(next.map((member) => verdictOf(connection, member)));
    const failures = settled.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    if (failures.length > 0) throw failureOfList(failures, begun > 0 || failures.length < next.length);
    verdicts.push(...settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
    if (verdicts.some(({ outcome }) => outcome !== 'appended')) break;
  }
  return [...verdicts, ...appends.slice(verdicts.length).map(() => ({ outcome: 'not_attempted' as const }))];
}

/** @param begun whether something of the list is written, or was refused */
function failureOfList(failures: readonly unknown[], begun: boolean): unknown {
  const own = failures.find(
    (failure) => !(failure instanceof LogUnavailable) && !(failure instanceof UnknownOutcome),
  );
  if (own !== undefined) return own;
  if (!begun && failures.every((failure) => failure instanceof LogUnavailable)) return failures[0];
  return new UnknownOutcome('a list of appends was cut off', { cause: failures[0] });
}

async function verdictOf(connection: Connection, member: Append): Promise<AppendVerdict> {
  try {
    return await append(connection, member);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) {
      const { stream, expected, actual } = error;
      return { outcome: 'conflict', stream, expected, actual };
    }
    throw error;
  }
}

/** Servers answer "no stream" also where they did not look, so that answer is not taken for granted. */
async function actualRevision(
  connection: Connection,
  stream: string,
  reported: unknown,
): Promise<ExpectedRevision> {
  return typeof reported === 'bigint' ? reported : streamHead(connection, stream);
}

/** An append that the server knew already may be answered without its position: then it is read back. */
async function positionOf(
  connection: Connection,
  stream: string,
  revision: bigint,
  result: AppendResult,
): Promise<Position> {
  if (result.position !== undefined) return formatPosition(result.position);
  const [event] = await readStream(connection, stream, revision).catch((error: unknown) => {
    if (error instanceof StreamLost) throw error;
    throw new UnknownOutcome('the position of an append could not be read back', { cause: error });
  });
  if (event === undefined) {
    throw new StreamLost(`the stream ${stream} was deleted or truncated on the event log's server`);
  }
  return event.position;
}
