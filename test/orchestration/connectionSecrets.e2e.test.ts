import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import pino from 'pino';
import { OutboundUnreachable } from '#ports/outbound.ts';
import type { Outbound } from '#ports/outbound.ts';
import { connectionFields, getConnection } from '#queries/connection/get.ts';
import { NotFound } from '#src/errors.ts';
import { later } from '#test/orchestration/support/later.ts';
import {
  connect,
  faults,
  payloads,
  sandboxConnection,
  send,
  settled,
  statusOf,
} from '#test/orchestration/support/connections.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; answers: ('refused' | 'down' | 'fine')[]; logged: string[] };
const secrets = suite<Context>('secrets of connections');

/** Stripe as it answers, down or not. */
const outboundOf = (answers: Context['answers']): Outbound => ({
  send: (request) => {
    const answer = answers.shift() ?? 'fine';
    if (answer === 'down') throw new OutboundUnreachable('connection');
    const status = answer === 'fine' ? 200 : 401;
    const body =
      answer === 'fine' ? { object: 'list', data: [] } : { error: { type: 'invalid_request_error' } };
    return Promise.resolve({
      status,
      url: request.url,
      headers: [],
      body: Buffer.from(JSON.stringify(body)),
    });
  },
  stream: () => Promise.reject(new Error('not asked for')),
  close: () => Promise.resolve(),
});

secrets.before(async (context) => {
  context.answers = [];
  context.logged = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => context.logged.push(line) });
  context.service = await startVaultService({ outbound: outboundOf(context.answers), logger });
});
secrets.after(({ service }) => service.close());

const stripe = (privateKey: string, ...further: object[]) => ({
  connection_formula_id: 'stripe-card',
  fields: [{ key: 'private_key', value: privateKey }, ...further],
});

/** Every row of every table there is, as text. */
async function everything({ composition: { pools } }: VaultService): Promise<string[]> {
  const { rows: tables } = await pools.owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('event_log', 'read_models', 'work', 'vault', 'audit', 'graphile_worker')`,
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await pools.owner.query<{ text: string }>(`select t::text as text from ${name} as t`);
      return found.rows.map(({ text }) => text);
    }),
  );
  return rows.flat();
}

secrets(
  'given secrets that come, change and go, then no event, view, log or answer has them, and the vault forgets',
  async ({ service, logged, answers }) => {
    const leaked = new RegExp(`canary|${Buffer.from('canary').toString('hex')}`);
    const signing = { key: 'webhook_signing_secret', value: 'canary-two' };
    const made = await send(service, 'POST', '', { ...sandboxConnection, ...stripe('canary-one', signing) });
    const { id } = made.body;
    await settled(service, id, 'available');
    const [first] = await payloads(service, id);
    answers.push('down', 'refused');
    const changed = await send(service, 'PUT', `/${id}`, { ...sandboxConnection, ...stripe('canary-three') });
    await settled(service, id, 'failed');
    const refused = await faults(service, stripe('', { key: 'canary', value: 'canary-four' }));
    await until(async () => (await payloads(service, id)).length === 1);
    assert.not.ok((await payloads(service, id)).includes(first ?? ''));
    const listed = await service.call('GET', '/orchestration/connections');
    const history = await service.call('GET', `/orchestration/connections/${id}/history`, undefined, {
      key: service.keys.management,
    });
    assert.is(history.status, 200);
    for (const shown of [made, changed, refused, listed, history]) {
      assert.not.match(JSON.stringify(shown), /canary/);
      assert.not.match(JSON.stringify(shown), /payload_id/);
    }
    const rows = await everything(service);
    assert.ok(rows.some((row) => row.includes('connection.failed')));
    for (const row of [...rows, ...logged]) assert.not.match(row, leaked);
    await send(service, 'DELETE', `/${id}`);
    await later(service, 11 * 60_000).forget();
    await until(async () => (await payloads(service, id)).length === 0);
  },
);

secrets(
  'given updates, when the fields are read for a call, then what was left out is still there, and what was emptied is not',
  async ({ service }) => {
    const { composition, tenantId } = service;
    const read = async (id: string) =>
      connectionFields(composition, await getConnection(composition, tenantId, id));
    const signing = { key: 'webhook_signing_secret', value: 'two' };
    const { id } = await connect(service, stripe('one', signing));
    assert.equal(await read(id), { private_key: 'one', webhook_signing_secret: 'two' });
    const update = async (fields: object[]) => {
      const body = { ...sandboxConnection, ...stripe(''), fields };
      assert.is((await send(service, 'PUT', `/${id}`, body)).status, 200);
    };
    await update([{ key: 'private_key', value: 'three' }]);
    assert.equal(await read(id), { private_key: 'three', webhook_signing_secret: 'two' });
    const before = await getConnection(composition, tenantId, id);
    await update([{ key: 'webhook_signing_secret', value: '' }]);
    // One that was looked up before the change still finds its way.
    await until(async () => (await payloads(service, id)).length === 1);
    assert.equal(await connectionFields(composition, before), { private_key: 'three' });
    assert.equal(await read(id), { private_key: 'three' });
    await send(service, 'DELETE', `/${id}`);
    await later(service, 11 * 60_000).forget();
    await until(async () => (await payloads(service, id)).length === 0);
    for (const look of [
      () => getConnection(composition, tenantId, id),
      () => connectionFields(composition, before),
    ]) {
      const found = await look().catch((error: unknown) => error);
      assert.instance(found, NotFound);
    }
  },
);

secrets(
  'given a provider that is down, then the connection is pending until it answers',
  async ({ service, answers }) => {
    answers.push('down', 'refused');
    const { id } = await connect(service, stripe('any'));
    await until(() => answers.length === 1);
    assert.is(await statusOf(service, id), 'pending');
    await settled(service, id, 'failed');
  },
);

secrets('given the history of another tenant’s connection, then 404', async ({ service }) => {
  const { id } = await connect(service);
  const { management } = await service.anotherTenant();
  const path = `/orchestration/connections/${id}/history`;
  assert.is((await service.call('GET', path, undefined, { key: management })).status, 404);
  assert.is((await service.call('GET', path)).status, 403);
});

type Entry = { operation: string; outcome: string };

secrets('given what is done to a connection, then the audit log has it', async ({ service }) => {
  const { id } = await connect(service);
  await settled(service, id, 'available');
  await send(service, 'PUT', `/${id}`, { ...sandboxConnection, active: false });
  await faults(service, { method: 'bank' }, ['POST', `/${id}`]);
  await send(service, 'DELETE', `/${id}`);
  const entries = async (): Promise<string[]> => {
    const query = `entity_type=connection&entity_id=${id}&size=100`;
    const options = { key: service.keys.management };
    const { body } = await service.call<{ data: Entry[] }>('GET', `/logs?${query}`, undefined, options);
    return body.data.map(({ operation, outcome }) => `${operation} ${outcome}`);
  };
  await until(async () => (await entries()).includes('delete succeeded'));
  assert.equal(
    (await entries()).sort(),
    [
      'create succeeded',
      'available succeeded',
      'update succeeded',
      'update refused',
      'delete succeeded',
    ].sort(),
  );
});

secrets.run();
