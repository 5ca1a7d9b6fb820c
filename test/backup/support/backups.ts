import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import pg from 'pg';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { request, runHoldfast, startService } from '#test/support/service.ts';
import type { Answer, ServiceProcess } from '#test/support/service.ts';
import { prepareDirectory } from '#test/support/preparedDirectory.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { withoutTriggers } from '#test/support/withoutTriggers.ts';

export type Run = { code: number | null; out: string; err: string };

/** A directory for data directories and backups. */
export type Ground = {
  path: (...names: string[]) => string;
  /** Runs the command line on a data directory of the ground. */
  holdfast(data: string, ...words: string[]): Promise<Run>;
  remove(): Promise<void>;
};

export async function newGround(): Promise<Ground> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const path = (...names: string[]): string => join(root, ...names);
  return {
    path,
    holdfast: (data, ...words) => runHoldfast(words, { HOLDFAST_DATA_DIR: path(data) }),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The root key is kept apart: whoever restores brings it. */
export async function bringRootKey({ path }: Ground, from: string, to: string): Promise<void> {
  await mkdir(path(to), { recursive: true });
  await copyFile(path(from, 'root.key'), path(to, 'root.key'));
}

export type Token = { id: string; data: Record<string, unknown> };

export const card = {
  type: 'card',
  data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '987' },
};

export const newToken = (
  service: ServiceProcess,
  body: object,
  key = service.credentials.private,
): Promise<Answer<Token>> => request<Token>(service, 'POST', '/tokens', { key, body });

/** The key of an application that sees everything in the clear. */
export async function revealingKey(service: ServiceProcess): Promise<string> {
  const rule = { priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] };
  const body = { name: 'revealing', type: 'private', rules: [rule] };
  const key = service.credentials.management;
  return (await request<{ key: string }>(service, 'POST', '/applications', { key, body })).body.key;
}

export const readToken = (service: { url: string }, key: string, id: string): Promise<Answer<Token>> =>
  request<Token>(service, 'GET', `/tokens/${id}`, { key });

/** One statement as somebody who administers the database; triggers do not stop him. */
export async function administer(
  dataDirectory: string,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const database = await connectToDataDirectory(dataDirectory, silentLogger);
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return await withoutTriggers(
      client,
      async () => (await client.query<Record<string, unknown>>(statement)).rows,
    );
  } finally {
    await client.end();
    await database.close();
  }
}

/** A ground with a data directory, `data`, that holds a card, and its backup, `copy`. */
export async function groundWithBackup(): Promise<Ground> {
  const ground = await newGround();
  await prepareDirectory(ground.path('data'));
  const service = await startService(ground.path('data'));
  assert.is((await newToken(service, card)).status, 201);
  await service.end();
  const made = await ground.holdfast('data', 'backup', ground.path('copy'));
  assert.is(made.code, 0, made.err);
  return ground;
}

/** It ended with one sentence for the operator. */
export function assertRefused({ code, out, err }: Run, sentence: RegExp): void {
  assert.is(code, 1, out);
  assert.match(err, sentence, `it said: ${err}`);
  assert.is(err.trimEnd().split('\n').length, 1, err);
}
