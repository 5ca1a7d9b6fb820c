import { setTimeout as sleep } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import pg from 'pg';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { directorySuite } from '#test/support/directorySuite.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { request, runHoldfast, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { withoutTriggers } from '#test/support/withoutTriggers.ts';
import { until } from '#test/support/until.ts';

const audit = directorySuite('the audit log of the service', newPreparedDirectory);

const holdfast = (directory: string, ...words: string[]) =>
  runHoldfast(words, { HOLDFAST_DATA_DIR: directory });

async function newToken(service: ServiceProcess): Promise<string> {
  const { private: key } = service.credentials;
  const made = await request<{ id: string }>(service, 'POST', '/tokens', {
    key,
    body: { type: 'token', data: 'x' },
  });
  return made.body.id;
}

const read = async (service: ServiceProcess, id: string): Promise<number> =>
  (await request(service, 'GET', `/tokens/${id}`, { key: service.credentials.private })).status;

/** As somebody who administers the database, and no more. */
async function tamper(directory: string, statement: string, values: unknown[] = []): Promise<void> {
  const database = await connectToDataDirectory(directory, silentLogger);
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    // The triggers that keep events from being changed do not stop an administrator.
    await withoutTriggers(client, () => client.query(statement, values));
  } finally {
    await client.end();
    await database.close();
  }
}

async function exported(directory: string): Promise<Record<string, string>[]> {
  const { out } = await holdfast(directory, 'audit', 'export', '--format', 'jsonl');
  const lines = out.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, string>);
}

audit(
  'given commands of operators, when they are exported, then each names who ran it, and none can be removed',
  async ({ directory }) => {
    const named = (operator: string, ...words: string[]) =>
      runHoldfast(words, { HOLDFAST_DATA_DIR: directory, HOLDFAST_OPERATOR: operator });
    const service = await startService(directory);
    try {
      assert.is((await named('Ada Lovelace', 'keys', 'rotate')).code, 0);
      assert.is((await named('Grace Hopper', 'projections', 'rebuild', 'tenants')).code, 0);
      assert.is((await named('Grace Hopper', 'tenant', 'create', 'Acme')).code, 0);
      assert.is((await holdfast(directory, 'keys', 'rewrap')).code, 0);
      assert.is((await named('a\tb', 'keys', 'rewrap')).code, 1);
      const acts = await until(async () => {
        const entries = await exported(directory);
        const ofOperators = entries.filter((entry) => entry['actor_type'] === 'operator');
        const found = new Set(
          ofOperators.map((one) => [one['actor_id'], one['operation'], one['entity_type']].join()),
        );
        return found.has('Grace Hopper,create,tenant') ? found : undefined;
      });
      const { username } = userInfo();
      for (const act of [
        'Ada Lovelace,rotate,key',
        'Grace Hopper,rebuild,view',
        `${username},rewrap,key`,
        `${username},read,log`,
      ]) {
        assert.ok(acts.has(act), `${act} of ${[...acts].join(' ')}`);
      }
    } finally {
      await service.end();
    }
    const rotated = (await exported(directory)).find(({ operation }) => operation === 'rotate')?.[
      'writer_id'
    ];
    await tamper(directory, 'delete from audit.entries where writer_id = $1', [rotated]);
    await rm(join(directory, 'audit', `${rotated}.head`));
    const verified = await holdfast(directory, 'audit', 'verify');
    assert.is(verified.code, 1);
    assert.match(verified.out, new RegExp(`chain ${rotated}, .*the whole chain was removed`));
  },
);

audit(
  'given a running service, when it is verified and exported, then all that was done is there',
  async ({ directory }) => {
    const service = await startService(directory, { HOLDFAST_PROCESSES: '2' });
    try {
      const id = await newToken(service);
      assert.is(await read(service, id), 200);
      await until(async () => {
        const ofToken = (await exported(directory)).filter((entry) => entry['entity_id'] === id);
        return String(ofToken.map((entry) => entry['operation']).sort()) === 'create,read';
      });
      const csv = await holdfast(directory, 'audit', 'export', '--tenant', service.credentials.tenant_id);
      assert.match(csv.out, /^occurred_at,tenant_id,actor_type,/);
      assert.match(csv.out, new RegExp(`read,token,${id},succeeded,200,`));
      assert.is((await holdfast(directory, 'audit', 'export', '--tenant', 'nobody')).code, 1);
      const verified = await holdfast(directory, 'audit', 'verify', '--events');
      assert.is(verified.code, 0, verified.out + verified.err);
      assert.match(verified.out, /chains .*: whole\n\d+ events: as they were audited/);
    } finally {
      await service.end();
    }
  },
);

audit(
  'given somebody who changes the database, when it is verified, then it is found and named',
  async ({ directory }) => {
    const service = await startService(directory);
    try {
      const [first, second] = [await newToken(service), await newToken(service)];
      await read(service, first);
      await read(service, second);
      await until(async () => (await holdfast(directory, 'audit', 'verify', '--events')).code === 0);
      await tamper(
        directory,
        `update event_log.events set data = (data::jsonb || '{"containers": ["/mine/"]}')::json where stream like '%.' || $1`,
        [first],
      );
      const changed = await holdfast(directory, 'audit', 'verify', '--events');
      assert.is(changed.code, 1);
      assert.match(changed.out, /: whole\nevent [0-9a-f-]{36}: the event was changed\n/);
      await tamper(directory, `delete from audit.entries where entity_id = $1 and operation = 'read'`, [
        second,
      ]);
      const removed = await holdfast(directory, 'audit', 'verify');
      assert.is(removed.code, 1);
      assert.match(removed.out, /^chain [0-9a-f-]{36}, entry \d+, after .*: (entries|the end)/);
    } finally {
      await service.end();
    }
  },
);

audit(
  'given reads under way, when the service is killed, then what was answered is in the log, and it is whole',
  async ({ directory }) => {
    const service = await startService(directory);
    const id = await newToken(service);
    let answered = 0;
    const reader = async (): Promise<void> => {
      while (service.child.exitCode === null && service.child.signalCode === null) {
        if ((await read(service, id)) === 200) answered++;
      }
    };
    const readers = Promise.allSettled(Array.from({ length: 8 }, reader));
    await until(() => answered > 200);
    await service.end('SIGKILL');
    await readers;
    const again = await startService(directory);
    try {
      assert.is(await read(again, id), 200);
      const verified = await holdfast(directory, 'audit', 'verify');
      assert.is(verified.code, 0, verified.out + verified.err);
      const { out } = await holdfast(directory, 'audit', 'export', '--format', 'jsonl');
      const reads = out
        .split('\n')
        .filter((line) => line.includes(`"operation":"read"`) && line.includes(id));
      assert.ok(reads.length >= answered + 1, `${answered} answered, ${reads.length} in the log`);
    } finally {
      await again.end();
    }
  },
);

audit(
  'given a log that cannot take entries, then the service is not ready, and later is again',
  async ({ directory }) => {
    const service = await startService(directory);
    const isReady = async (): Promise<boolean> => (await fetch(`${service.url}/readyz`)).status === 200;
    try {
      assert.ok(await isReady());
      await tamper(
        directory,
        `create function audit.refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
       create trigger refuse before insert on audit.entries for each row execute function audit.refuse();
       alter table audit.entries enable always trigger refuse`,
      );
      assert.not.ok(await isReady());
      await tamper(directory, 'drop trigger refuse on audit.entries');
      assert.ok(await isReady());
    } finally {
      await service.end();
    }
  },
);

audit(
  'given connections that break again and again, then no chain has a gap and no head runs ahead',
  async ({ directory }) => {
    const service = await startService(directory);
    try {
      const ids = [await newToken(service)];
      let working = true;
      const worker = async (): Promise<void> => {
        while (working) {
          ids.push(await newToken(service).catch(() => ''));
          await read(service, ids[0] ?? '').catch(() => 0);
        }
      };
      const workers = Array.from({ length: 6 }, worker);
      for (let round = 0; round < 6; round++) {
        await sleep(300);
        await tamper(
          directory,
          `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        );
      }
      working = false;
      await Promise.all(workers);
      await until(async () => (await read(service, ids[0] ?? '')) === 200);
      await newToken(service);
      let verified = await holdfast(directory, 'audit', 'verify', '--events');
      assert.is(verified.code, 0, verified.out + verified.err);
      await service.end('SIGKILL');
      const again = await startService(directory);
      verified = await holdfast(directory, 'audit', 'verify', '--events');
      await again.end();
      assert.is(verified.code, 0, verified.out + verified.err);
    } finally {
      await service.end();
    }
  },
);

audit.run();
