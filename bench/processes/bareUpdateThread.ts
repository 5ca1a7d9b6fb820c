import { randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { sealPayload } from '#infra/vault/crypto/envelope.ts';
import { createDataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import { openRow } from '#infra/vault/payloads/openRow.ts';
import { tokenStream } from '#domain/token/events.ts';

export type BareUpdateSettings = {
  connection: pg.ClientConfig;
  environment: string;
  tenantId: string;
  key: { version: number; key: KeyObject };
  oldNumber: string;
  newNumber: string;
};

/** Rows of the request file, and the lines of the result that they make. */
export type BareChunk = { chunk: number; rows: string[] };
export type BareLines = { chunk: number; lines: string };

type Stored = { id: string; payload_id: string; key_version: number; salt: Buffer; ciphertext: Buffer };
type Card = { number: string; expiration_month: number; expiration_year: number };

/** Reads, decrypts and stores what belongs to some rows of a file, with nothing around it. */
const { connection, environment, tenantId, key, oldNumber, newNumber } = workerData as BareUpdateSettings;
const client = new pg.Client(connection);
await client.connect();
const pool = new pg.Pool({ ...connection, max: 1 });
const dataKeys = createDataKeys(pool, environment);
const keys = { active: key, data: new Map([[key.version, key.key]]), dataKeys: new Map() };
const keysOf = () => Promise.resolve(keys);

async function update({ chunk, rows }: BareChunk): Promise<BareLines> {
  const wanted = rows.map((row) => row.slice(0, row.indexOf(',')));
  const { rows: found } = await client.query<Stored>({
    name: 'bare read',
    text: `select t.id, p.id as payload_id, p.key_version, p.salt, p.ciphertext
      from read_models.tokens t join vault.payloads p on p.tenant_id = t.tenant_id and p.id = t.payload_id
      where t.tenant_id = $1 and t.id = any($2::text[])`,
    values: [tenantId, wanted],
  });
  const stored = new Map(found.map((row) => [row.id, row]));
  const made: string[] = [];
  let lines = '';
  for (const id of wanted) {
    const row = stored.get(id);
    if (row === undefined) throw new Error('a token of the file is not there');
    const place = { environment, tenantId, stream: tokenStream(tenantId, id), payloadId: row.payload_id };
    const card = (await openRow({ keysOf, dataKeys }, place, {
      keyVersion: row.key_version,
      salt: row.salt,
      wrappedKey: null,
      ciphertext: row.ciphertext,
    })) as Card;
    if (card.number !== oldNumber) continue;
    const payloadId = randomUUID();
    const dataKey = await dataKeys.forStoring(tenantId, keys, new Date());
    const sealed = sealPayload({ ...place, payloadId }, dataKey, { ...card, number: newNumber });
    made.push(
      `${payloadId}\t${tenantId}\t\\\\x${sealed.salt.toString('hex')}\t\\\\x${sealed.ciphertext.toString('hex')}\n`,
    );
    lines += `${id},,,${payloadId},,,UPD_PAN\n`;
  }
  if (made.length > 0) await copy(made);
  return { chunk, lines };
}

async function copy(rows: readonly string[]): Promise<void> {
  const stream = client.query(copyFrom('copy bench_updated (id, tenant_id, salt, ciphertext) from stdin'));
  stream.end(rows.join(''));
  await once(stream, 'finish');
}

parentPort?.on('message', (message: BareChunk | 'end') => {
  if (message === 'end') void Promise.all([client.end(), pool.end()]).then(() => process.exit(0));
  else void update(message).then((lines) => parentPort?.postMessage(lines));
});
