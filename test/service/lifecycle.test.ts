import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  newDataDirectory,
  NotStarted,
  removeDataDirectory,
  request,
  runHoldfast,
  startService,
} from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const lifecycle = suite<{ directory: string }>('the life of the service');

lifecycle.before.each(async (context) => {
  context.directory = await newDataDirectory();
});

lifecycle.after.each(({ directory }) => removeDataDirectory(directory));

/** Creates tokens from several clients until one fails or enough are sent; remembers what was acknowledged. */
async function createMany(service: ServiceProcess, count: number, acknowledged: string[]): Promise<void> {
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < count) {
      sent++;
      const body = { type: 'token', data: { sent } };
      const answer = await request<{ id: string }>(service, 'POST', '/tokens', {
        key: service.credentials.private,
        body,
      });
      if (answer.status === 201) acknowledged.push(answer.body.id);
    }
  };
  await Promise.allSettled(Array.from({ length: 16 }, client));
}

async function missingOf(service: ServiceProcess, ids: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const id of ids) {
    const answer = await request(service, 'GET', `/tokens/${id}`, { key: service.credentials.private });
    if (answer.status !== 200) missing.push(id);
  }
  return missing;
}

/** On a connection that is kept: what is sent on it is under way. */
async function post(agent: Agent, { url, credentials }: ServiceProcess): Promise<number | undefined> {
  const sent = httpRequest(`${url}/tokens`, {
    method: 'POST',
    agent,
    headers: { 'BT-API-KEY': credentials.private, 'Content-Type': 'application/json' },
  });
  sent.end('{"type":"token","data":1}');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const postmasterOf = async (directory: string): Promise<number> =>
  Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

const refusalOf = async (start: Promise<ServiceProcess>): Promise<NotStarted> => {
  const outcome = await start.then(
    async (service) => {
      await service.end();
      return undefined;
    },
    (error: unknown) => error,
  );
  if (!(outcome instanceof NotStarted)) throw new Error('the service started', { cause: outcome });
  return outcome;
};

lifecycle(
  'given an empty directory, when it starts twice, then keys are shown once and stay the same',
  async ({ directory }) => {
    const first = await startService(directory);
    const file = join(directory, 'dev-credentials.json');
    assert.is((await stat(file)).mode & 0o777, 0o600);
    assert.equal(Object.keys(first.credentials).sort(), ['management', 'private', 'public', 'tenant_id']);
    assert.match(first.said(), first.credentials.private);
    assert.match(first.said(), 'curl ');
    assert.match(first.said(), '/openapi.json');
    for (const host of ['127.0.0.1', '[::1]']) {
      assert.is((await fetch(`http://${host}:${first.port}/readyz`)).status, 200);
    }
    assert.is(await first.end(), 0);
    const second = await startService(directory);
    assert.equal(second.credentials, first.credentials);
    assert.not.match(second.said(), first.credentials.private);
    const answer = await request(second, 'GET', '/applications/key', { key: first.credentials.management });
    assert.is(answer.status, 200);
    assert.is(await second.end(), 0);
  },
);

lifecycle(
  'given a running service, when a second starts on its directory, then it is refused with the pid',
  async ({ directory }) => {
    const service = await startService(directory);
    const refusal = await refusalOf(startService(directory));
    assert.is(refusal.code, 1);
    assert.match(refusal.said, `process id ${service.child.pid}`);
    assert.is((await fetch(`${service.url}/readyz`)).status, 200);
    await service.end();
  },
);

lifecycle(
  'given a port in use, when it starts, then one sentence, exit code 1, and no Postgres is left',
  async ({ directory }) => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const address = squatter.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const refusal = await refusalOf(startService(directory, { PORT: String(port) }));
    assert.is(refusal.code, 1);
    assert.match(refusal.said, `port ${port} of 127.0.0.1 is in use`);
    squatter.close();
    await (await startService(directory)).end();
  },
);

lifecycle(
  'given a wrong setting, a file, or a newer directory, when it starts, then one sentence and exit code 1',
  async ({ directory }) => {
    const wrong = await refusalOf(startService(directory, { HOLDFAST_PROCESSES: 'many' }));
    assert.is(
      wrong.said,
      "holdfast: HOLDFAST_PROCESSES is 'many' and must be a whole number from 1 to 256.\n",
    );
    const file = join(directory, 'file');
    await writeFile(file, '');
    const isFile = await refusalOf(startService(file));
    assert.match(isFile.said, 'is a file');
    const newer = join(directory, 'newer');
    await mkdir(newer);
    await writeFile(join(newer, 'holdfast.json'), '{"format":99}');
    const refused = await refusalOf(startService(newer));
    assert.match(refused.said, 'newer');
    const address = await refusalOf(startService(directory, { HOST: '999.1.1.1' }));
    assert.match(
      address.said,
      /^holdfast: port 0 of 999\.1\.1\.1 cannot be listened on \([A-Z_]+\): [^\n]*\n$/m,
    );
    assert.is(address.code, 1);
    const table = await refusalOf(
      startService(directory, { HOLDFAST_BIN_TABLE: join(directory, 'none.csv') }),
    );
    assert.match(table.said, /^holdfast: the table of BINs .*none\.csv cannot be read: [^\n]*\n$/m);
    assert.is(table.code, 1);
    const unwritable = await refusalOf(startService('/proc/holdfast'));
    assert.match(unwritable.said, /^holdfast: the data directory \/proc\/holdfast cannot be made: [^\n]*\n$/);
    assert.equal([wrong.code, isFile.code, refused.code, unwritable.code], [1, 1, 1, 1]);
  },
);

lifecycle(
  'given creates under way, when the service is killed, then every acknowledged token is there after a start',
  async ({ directory }) => {
    const service = await startService(directory);
    const postmaster = await postmasterOf(directory);
    const acknowledged: string[] = [];
    const creating = createMany(service, 1_000, acknowledged);
    await until(() => acknowledged.length > 150);
    await service.end('SIGKILL');
    await creating;
    await until(() => !isAlive(postmaster));
    const again = await startService(directory);
    assert.equal(await missingOf(again, acknowledged), []);
    await again.end();
  },
);

lifecycle(
  'given creates under way, when Postgres is killed, then it comes back and nothing acknowledged is lost',
  async ({ directory }) => {
    const service = await startService(directory);
    const acknowledged: string[] = [];
    const creating = createMany(service, 600, acknowledged);
    await until(() => acknowledged.length > 100);
    process.kill(await postmasterOf(directory), 'SIGKILL');
    await creating;
    await until(async () => {
      const startedAt = performance.now();
      const body = { type: 'token', data: 'after' };
      const { status } = await request(service, 'POST', '/tokens', {
        key: service.credentials.private,
        body,
      });
      assert.ok([201, 503].includes(status), `answered ${status}`);
      assert.ok(performance.now() - startedAt < 2_500);
      return status === 201;
    });
    assert.equal(await missingOf(service, acknowledged), []);
    assert.is(await service.end(), 0);
  },
);

lifecycle(
  'given requests under way, when it is told to stop, then they are answered and the exit code is 0',
  async ({ directory }) => {
    const service = await startService(directory);
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    let stopping = false;
    let answered = 0;
    const failures: string[] = [];
    const client = async (): Promise<void> => {
      while (!stopping) {
        const status = await post(agent, service);
        if (status === 201) answered++;
        else failures.push(String(status));
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await until(() => answered > 100);
    stopping = true;
    assert.is(await service.end(), 0);
    await Promise.all(clients);
    assert.equal(failures, []);
    agent.destroy();
  },
);

lifecycle(
  'given a stopped service, when tenants, views and keys are asked for on the command line, then it answers',
  async ({ directory }) => {
    const environment = { HOLDFAST_DATA_DIR: directory };
    const service = await startService(directory);
    await createMany(service, 50, []);
    const beside = await runHoldfast(['projections', 'rebuild', 'tokens'], environment);
    assert.is(beside.code, 0, beside.err);
    assert.is((await runHoldfast(['keys', 'rotate'], environment)).code, 0);
    const tenant = await runHoldfast(['tenant', 'create', 'Acme'], environment);
    const key = /management key {2}(key_\S+)/.exec(tenant.out)?.[1] ?? '';
    assert.is((await request(service, 'GET', '/applications', { key })).status, 200);
    await service.end();
    const verified = await runHoldfast(['projections', 'verify', 'tokens'], environment);
    assert.match(verified.out, 'tokens is equal to the log');
    assert.match((await runHoldfast(['projections', 'status'], environment)).out, /tokens\s+2\s+2\s+live/);
    assert.match((await runHoldfast(['keys', 'status'], environment)).out, /decrypt_only/);
    const subscribers = await runHoldfast(['subscribers', 'status'], environment);
    assert.match(subscribers.out, /webhook_fan_out\s+\d+\s+-\s+0/);
    const unblocked = await runHoldfast(['subscribers', 'skip', 'webhook_fan_out', tenant.out], environment);
    assert.is(unblocked.code, 1);
    assert.match(unblocked.err, 'the subscriber webhook_fan_out is not blocked by');
    const unknown = await runHoldfast(['projections', 'verify', 'nothing'], environment);
    assert.is(unknown.code, 1);
    assert.match(unknown.err, 'there is no view named nothing');
    assert.match((await runHoldfast(['--version'], environment)).out, /^\d+\.\d+\.\d+\n$/);
    for (const words of [[], ['start'], ['tenant'], ['projections'], ['keys']]) {
      assert.match((await runHoldfast([...words, '--help'], environment)).out, 'Usage: holdfast');
    }
  },
);

lifecycle.run();
