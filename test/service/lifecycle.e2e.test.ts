import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { childrenOf } from '#test/support/childrenOf.ts';
import { directorySuite } from '#test/support/directorySuite.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { postmasterOf } from '#test/support/postmasterOf.ts';
import { request, runHoldfast, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const lifecycle = directorySuite('the life of the service', newPreparedDirectory);

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
  'given any free port, when the only API process is killed, then the one that takes its place has that port',
  async ({ directory }) => {
    const service = await startService(directory);
    try {
      const answers = (): Promise<boolean> =>
        fetch(`${service.url}/healthz`, { headers: { Connection: 'close' } }).then(
          ({ ok }) => ok,
          () => false,
        );
      assert.ok(await answers());
      for (const pid of childrenOf(service, 'apiProcess.ts')) process.kill(pid, 'SIGKILL');
      await until(() => service.said().includes('an API process ended and is replaced'));
      await until(answers);
    } finally {
      await service.end();
    }
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
