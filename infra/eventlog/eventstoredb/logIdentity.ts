import { randomUUID } from 'node:crypto';
import { jsonEvent, NO_STREAM, StreamNotFoundError, WrongExpectedVersionError } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { atLeader, connected } from '#infra/eventlog/eventstoredb/deadline.ts';
import { appendFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import { collect } from '#infra/eventlog/eventstoredb/reader.ts';
import { StartupError } from '#src/startupError.ts';

const separator = /[._-]$/;

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
    const options = { maxCount: 1, requiresLeader: true };
    const [first] = await atLeader(() => collect(client.readStream(names.metaLog, options)));
    return first?.event?.id;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return undefined;
    throw error;
  }
}

/** @throws StartupError when the prefix of a new installation could be the beginning of another's */
async function createMetaLog(connection: Connection): Promise<void> {
  const { client, names, credentials } = connection;
  if (names.prefix !== '' && !separator.test(names.prefix)) {
    throw new StartupError(
      `HOLDFAST_STREAM_PREFIX is '${names.prefix}', and that of a new installation must end in '.', '_' or '-', so that it is not the beginning of another's: set it to '${names.prefix}.'`,
    );
  }
  const event = jsonEvent({ id: randomUUID(), type: 'meta.log_created', data: {} });
  try {
    await client.appendToStream(names.metaLog, event, {
      expectedRevision: NO_STREAM,
      requiresLeader: true,
      credentials,
      deadline: await connected(connection),
    });
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof WrongExpectedVersionError)) throw appendFailure(error);
  }
}
