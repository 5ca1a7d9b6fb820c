import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ClientConfig } from 'pg';
import { waitUntil } from '#infra/postgres/embedded/waitUntil.ts';

export const isRoot = process.getuid?.() === 0;

/** Nobody, for tests as root that need an ordinary user. */
export const ordinaryUser = 65_534;

export type TemporaryDirectory = { path: string; remove(): Promise<void> };

/** A directory that nobody but its owner may enter, as root's home is. */
export async function temporaryDirectory(owner?: number): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  if (owner !== undefined) await chown(path, owner, owner);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** One statement on a connection of its own; answers the first column of the first row. */
export async function ask(connection: ClientConfig, statement: string): Promise<unknown> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** As `ask`, while Postgres may be down for a moment. */
export async function askPatiently(connection: ClientConfig, statement: string): Promise<unknown> {
  let answer: unknown;
  await eventually(async () => {
    answer = await ask(connection, statement).catch(() => undefined);
    return answer !== undefined;
  });
  return answer;
}

/** Fails when the condition does not come to hold within some seconds. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await waitUntil(condition, 15_000))) throw new Error('it did not happen in 15 s');
}
