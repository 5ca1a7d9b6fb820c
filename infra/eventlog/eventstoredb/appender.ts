import { jsonEvent, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import type { AppendResult } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { appendFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import { formatPosition } from '#infra/eventlog/eventstoredb/positions.ts';
import { readStream, streamHead } from '#infra/eventlog/eventstoredb/reader.ts';
import type { Append, Appended, AppendVerdict, ExpectedRevision, Position } from '#ports/eventLog.ts';
import { LogUnavailable, UnknownOutcome, WrongExpectedRevision } from '#ports/eventLog.ts';

/** @throws WrongExpectedRevision @throws LogUnavailable @throws UnknownOutcome */
export async function append(
  connection: Connection,
  { stream, expected, events }: Append,
): Promise<Appended> {
  const { client, names, credentials } = connection;
  const result = await client
    .appendToStream(names.onServer(stream), events.map(jsonEvent), {
      expectedRevision: expected === 'none' ? NO_STREAM : expected,
      credentials,
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof WrongExpectedVersionError)) throw appendFailure(error);
      const actual = await actualRevision(connection, stream, error.actualVersion);
      throw new WrongExpectedRevision(stream, expected, actual);
    });
  const revision = (expected === 'none' ? -1n : expected) + BigInt(events.length);
  return { outcome: 'appended', revision, position: await positionOf(connection, stream, revision, result) };
}

/**
 * One after the other, until one is refused. Once something is written, a later failure leaves the list as a
 * whole in doubt: the same list again finds out.
 */
export async function appendAll(
  connection: Connection,
  appends: readonly Append[],
): Promise<AppendVerdict[]> {
  const verdicts: AppendVerdict[] = [];
  for (const member of appends) {
    if (verdicts.some((verdict) => verdict.outcome !== 'appended')) {
      verdicts.push({ outcome: 'not_attempted' });
      continue;
    }
    verdicts.push(await verdictOf(connection, member, verdicts.length > 0));
  }
  return verdicts;
}

async function verdictOf(connection: Connection, member: Append, begun: boolean): Promise<AppendVerdict> {
  try {
    return await append(connection, member);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) {
      const { stream, expected, actual } = error;
      return { outcome: 'conflict', stream, expected, actual };
    }
    if (begun && error instanceof LogUnavailable) {
      throw new UnknownOutcome('a list of appends was cut off', { cause: error });
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
    throw new UnknownOutcome('the position of an append could not be read back', { cause: error });
  });
  if (event === undefined) throw new UnknownOutcome('an appended event cannot be read back');
  return event.position;
}
