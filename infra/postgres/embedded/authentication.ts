import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { user } from '#infra/postgres/embedded/cluster.ts';
import { introduceLogins } from '#infra/postgres/embedded/logins.ts';
import type { Logins } from '#infra/postgres/embedded/logins.ts';
import { rulesIn } from '#infra/postgres/embedded/socketDirectory.ts';
import { waitUntil } from '#infra/postgres/embedded/waitUntil.ts';

/** How long the server may take to read its rules, in milliseconds. */
const patience = 10_000;

/**
 * Lets the superuser in without a password, so that he can be given one: nobody knows that of the last start. Only the
 * server's user and root find the socket, and no code of tenants runs yet.
 */
export const openRules = (socketDirectory: string): Promise<void> =>
  writeFile(rulesIn(socketDirectory), `local all ${user} trust\n`, { mode: 0o644 });

/** Gives everybody a password, and has the server ask for it from then on, also after it was started again. */
export async function closeRules(socketDirectory: string, logins: Logins): Promise<void> {
  await introduceLogins(logins);
  await writeFile(rulesIn(socketDirectory), 'local all all scram-sha-256\n');
  const client = new pg.Client(logins.administrator);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('select pg_reload_conf()').finally(() => client.end());
  const asked = await waitUntil(() => asksForPassword(logins.administrator), patience);
  if (!asked) throw new Error('it does not ask for passwords');
}

async function asksForPassword(administrator: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...administrator, password: 'wrong' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return false;
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === '28P01';
  }
}
