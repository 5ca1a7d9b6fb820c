import { randomUUID } from 'node:crypto';
import { jsonEvent, NO_STREAM, StreamNotFoundError, WrongExpectedVersionError } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { appendFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import { collect } from '#infra/eventlog/eventstoredb/reader.ts';

const type = 'meta.installation_bound';

type Found = { owner: string | null; revision: bigint | 'none' };

/** The installation that the log belongs to, by the last record in `<prefix>meta-log` that says so. */
export const readOwner = async (connection: Connection): Promise<string | null> =>
  (await find(connection)).owner;

/** Gives the log to an installation, if it still belongs to the one that is named. */
export async function writeOwner(
  connection: Connection,
  owner: string,
  instead: string | null,
): Promise<boolean> {
  const { client, names, credentials } = connection;
  const found = await find(connection);
  if (found.owner !== instead) return false;
  const event = jsonEvent({ id: randomUUID(), type, data: { installation_id: owner } });
  const expectedRevision = found.revision === 'none' ? NO_STREAM : found.revision;
  try {
    await client.appendToStream(names.metaLog, event, { expectedRevision, credentials });
    return true;
  } catch (error) {
    if (error instanceof WrongExpectedVersionError) return false;
    throw appendFailure(error);
  }
}

/** The stream is short: a record a binding. */
async function find({ client, names }: Connection): Promise<Found> {
  const found: Found = { owner: null, revision: 'none' };
  try {
    for (const { event } of await collect(client.readStream(names.metaLog))) {
      if (event === undefined) continue;
      found.revision = event.revision;
      if (event.type === type) found.owner = installationIn(event.data);
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return found;
}

function installationIn(data: unknown): string | null {
  const named = typeof data === 'object' && data !== null && 'installation_id' in data;
  return named && typeof data.installation_id === 'string' ? data.installation_id : null;
}
