import type { Credentials } from '@eventstore/db-client';
import { createClient } from '#infra/eventlog/eventstoredb/client.ts';
import type { Client } from '#infra/eventlog/eventstoredb/client.ts';
import { StreamNames } from '#infra/eventlog/eventstoredb/streamNames.ts';
import { parseEventStoreUrl } from '#src/eventStoreUrl.ts';

/** One client for a process, and what every call on it needs. */
export type Connection = {
  client: Client;
  names: StreamNames;
  /**
   * Given with each append: they make the client take the classic append. Its batch path shares state between
   * clients and misreports conflicts.
   */
  credentials: Credentials;
};

/** @throws SettingError when the connection string is wrong */
export function connect(connectionString: string, streamPrefix: string): Connection {
  const url = parseEventStoreUrl(connectionString);
  return {
    client: createClient(url),
    names: new StreamNames(streamPrefix),
    // Without TLS the client sends no credentials, whatever it is given.
    credentials: url.credentials ?? { username: 'none', password: 'none' },
  };
}
