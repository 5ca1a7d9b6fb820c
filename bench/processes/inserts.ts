import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { answerProcess } from '#bench/support/process.ts';

export type InsertOrder = {
  connection: pg.ClientConfig;
  connections: number;
  seconds: number;
  bytes: number;
};

/** The control of writes: durable single-row inserts by `pg`, one a transaction. */
await answerProcess<InsertOrder, number>(async ({ connection, connections, seconds, bytes }) => {
  const clients = Array.from({ length: connections }, () => new pg.Client(connection));
  await Promise.all(clients.map((client) => client.connect()));
  const row = randomBytes(bytes);
  const statement = { name: 'control', text: 'insert into bench_control (id, payload) values ($1, $2)' };
  let inserted = 0;
  const drive = async (client: pg.Client, until: number): Promise<void> => {
    while (performance.now() < until) {
      await client.query({ ...statement, values: [randomUUID(), row] });
      inserted++;
    }
  };
  await Promise.all(clients.map((client) => drive(client, performance.now() + 1_000)));
  inserted = 0;
  const startedAt = performance.now();
  await Promise.all(clients.map((client) => drive(client, startedAt + seconds * 1_000)));
  const perSecond = (inserted * 1_000) / (performance.now() - startedAt);
  await Promise.all(clients.map((client) => client.end()));
  return perSecond;
});
