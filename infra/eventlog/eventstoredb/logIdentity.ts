import { randomUUID } from 'node:crypto';
import { jsonEvent, NO_STREAM, StreamNotFoundError, WrongExpectedVersionError } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { appendFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import { collect } from '#infra/eventlog/eventstoredb/reader.ts';

/** The id of the first event of `<prefix>meta-log`, which whoever comes first appends. */
export async function logIdentity(connection: Connection): Promise<string> {
  const existing = await firstEventId(connection);
  if (existing !== undefined) return existing;
  await createMetaLog(connection);
  const created = await firstEventId(connection);
  if (created === undefined) throw new Error('the event log has lost its identity');
  return created;
}

async function firstEventId({ client, names }: Connection): Promise<string | undefined> {
  try {
    const [first] = await collect(client.readStream(names.metaLog, { maxCount: 1 }));
    return first?.event?.id;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return undefined;
    throw error;
  }
}

async function createMetaLog({ client, names, credentials }: Connection): Promise<void> {
  const event = jsonEvent({ id: randomUUID(), type: 'meta.log_created', data: {} });
  try {
    await client.appendToStream(names.metaLog, event, { expectedRevision: NO_STREAM, credentials });
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof WrongExpectedVersionError)) throw appendFailure(error);
  }
}
