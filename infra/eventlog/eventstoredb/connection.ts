import { EventStoreDBClient } from '@eventstore/db-client';
import type { Credentials } from '@eventstore/db-client';
import { StreamNames } from '#infra/eventlog/eventstoredb/streamNames.ts';

/** One client for a process, and what every call on it needs. */
export type Connection = {
  client: EventStoreDBClient;
  names: StreamNames;
  /**
   * Given with each append: they make the client take the classic append. Its batch path shares state between
   * clients and misreports conflicts.
   */
  credentials: Credentials;
};

/** @throws TypeError when the connection string has TLS but no credentials */
export function connect(connectionString: string, streamPrefix: string): Connection {
  return {
    client: EventStoreDBClient.connectionString(connectionString),
    names: new StreamNames(streamPrefix),
    credentials: appendCredentials(connectionString),
  };
}

function appendCredentials(connectionString: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:@/]+):([^@/]+)@/.exec(connectionString) ?? [];
  if (username !== undefined && password !== undefined) {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  }
  // Without TLS the client sends no credentials, whatever it is given.
  if (/[?&]tls=false/i.test(connectionString)) return { username: 'none', password: 'none' };
  throw new TypeError(
    'an EventStoreDB connection string names a user and password, unless it says tls=false',
  );
}
