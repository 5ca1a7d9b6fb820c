import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pg from 'pg';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { newDataDirectory, removeDataDirectory, runHoldfast } from '#test/support/service.ts';
import type { Canary } from '#test/canaries/support/canary.ts';
import type { Answered, Subject } from '#test/canaries/support/subject.ts';

/** Where canaries are looked for. */
export type Place = {
  name: string;
  bytes: Uint8Array;
  /** Whether this canary may stand there; none may where it is not said. */
  mayHold?: (canary: Canary) => boolean;
};

const text = (name: string, content: string): Place => ({ name, bytes: Buffer.from(content) });

/**
 * Every place that a running service writes to, but for its files: all columns of all tables, metrics, exports of the
 * audit log, answers that were to hold none, deliveries of webhooks.
 */
export async function* placesWhileRunning(subject: Subject): AsyncGenerator<Place, void, void> {
  const { service, environment, answers, receiver } = subject;
  for (const answer of answers.filter(({ shows }) => !shows)) {
    const { request, status, headers, text: body } = answer;
    yield {
      ...text(`the answer ${status} to ${request}`, `${headers}\n${body}`),
      mayHold: (canary) => mayAnswer(answer, canary),
    };
  }
  for (const { body, headers } of receiver.received) {
    yield text('a delivery of a webhook', `${JSON.stringify(headers)}\n${body}`);
  }
  yield text('the metrics', await (await fetch(`${service.url}/metrics`)).text());
  for (const format of ['csv', 'jsonl']) {
    const { code, out, err } = await runHoldfast(['audit', 'export', '--format', format], environment);
    if (code !== 0) throw new Error(`the audit log was not exported: ${err}`);
    yield text(`the audit log as ${format}`, out);
  }
  yield* tablesOf(service.dataDirectory);
}

/**
 * Callers may be told what the same request has sent, where it succeeds; of what is refused, only names and ids. Who
 * manages reactors and proxies reads their configurations and keys.
 */
function mayAnswer({ request, sent, status }: Answered, { value, spot, named = false }: Canary): boolean {
  if (/ \/(reactors|proxies)/.test(request) && /configuration|^POST \/proxies: its key$/.test(spot)) {
    return true;
  }
  return sent.includes(value) && (status < 400 || named);
}

/** Every column of every row, as the owner of the tables sees them. */
async function* tablesOf(dataDirectory: string): AsyncGenerator<Place, void, void> {
  const database = await connectToDataDirectory(dataDirectory, silentLogger);
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select row_to_json(t)::text as row from ${name} t`,
      );
      yield text(`the table ${name}`, rows.map(({ row }) => row).join('\n'));
    }
  } finally {
    await client.end();
    await database.close();
  }
}

/** A backup of a running service. */
export async function* placesInBackup({ environment }: Subject): AsyncGenerator<Place, void, void> {
  const directory = await newDataDirectory();
  try {
    const { code, err } = await runHoldfast(['backup', join(directory, 'backup')], environment);
    if (code !== 0) throw new Error(`no backup was made: ${err}`);
    yield* filesOf('backup', directory);
  } finally {
    await removeDataDirectory(directory);
  }
}

/** Where the first start writes the keys of the development tenant, for whoever uses it. */
const credentialsFile = 'dev-credentials.json';

/** What a service has left when it has ended, which writes everything to the disk: all its files, the log of PostgreSQL among them, and all it said. */
export async function* placesLeft({
  service,
  greeting,
  temporary,
}: Subject): AsyncGenerator<Place, void, void> {
  yield text('the output', service.said().slice(greeting));
  yield* filesOf('data directory', service.dataDirectory);
  yield* filesOf('temporary directory', temporary);
}

async function* filesOf(name: string, directory: string): AsyncGenerator<Place, void, void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === credentialsFile) continue;
    const path = join(entry.parentPath, entry.name);
    const named = relative(directory, path);
    // A name can leak as well as what stands under it.
    const bytes = Buffer.concat([Buffer.from(`${named}\n`), await readFile(path)]);
    yield { name: `${name}: ${named}`, bytes };
  }
}
