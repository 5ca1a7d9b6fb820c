import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf } from '#test/support/childrenOf.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const processes = suite<{ directory: string; service: ServiceProcess }>('several API processes');

processes.before(async (context) => {
  context.directory = await newPreparedDirectory();
  context.service = await startService(context.directory, { HOLDFAST_PROCESSES: '3' });
});

processes.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

processes(
  'given a token that was acknowledged, when it is listed and read over other connections, then it is there',
  async ({ service }) => {
    const key = service.credentials.private;
    const missing: string[] = [];
    const client = async (): Promise<void> => {
      for (let round = 0; round < 15; round++) {
        const { body } = await request<{ id: string }>(service, 'POST', '/tokens', {
          key,
          body: { type: 'token', data: round },
        });
        const listed = await request<{ data: unknown[] }>(service, 'GET', `/tokens?id=${body.id}`, { key });
        const read = await request(service, 'GET', `/tokens/${body.id}`, { key });
        if (listed.body.data.length !== 1 || read.status !== 200) missing.push(body.id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    assert.equal(missing, []);
  },
);

/** The statuses that a key gets over connections of their own, so from any process. */
const statuses = async (service: ServiceProcess, key: string, path: string): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => request(service, 'GET', path, { key })));
  return [...new Set(answers.map(({ status }) => status))];
};

processes(
  'given changes to keys and rights, when a second has passed, then they hold on every process',
  async ({ service }) => {
    const { management } = service.credentials;
    const asManagement = <Body>(method: string, path: string, body?: unknown) =>
      request<Body>(service, method, path, { key: management, body });
    const { body: made } = await asManagement<{ id: string; key: string }>('POST', '/applications', {
      name: 'changing',
      type: 'private',
      permissions: ['token:read'],
    });
    assert.equal(await statuses(service, made.key, '/tokens'), [200]);
    const { body: second } = await asManagement<{ id: string; key: string }>(
      'POST',
      `/applications/${made.id}/keys`,
    );
    assert.equal(await statuses(service, second.key, '/tokens'), [200]);
    await asManagement('PUT', `/applications/${made.id}`, {
      name: 'changing',
      permissions: ['token:delete'],
    });
    await until(async () => String(await statuses(service, made.key, '/tokens')) === '403', 1_000);
    await asManagement('PUT', `/applications/${made.id}`, { name: 'changing', permissions: ['token:read'] });
    await until(async () => String(await statuses(service, made.key, '/tokens')) === '200', 1_000);
    await asManagement('DELETE', `/applications/${made.id}/keys/${second.id}`);
    await until(async () => String(await statuses(service, second.key, '/tokens')) === '401', 1_000);
    assert.equal(await statuses(service, made.key, '/tokens'), [200]);
    await asManagement('DELETE', `/applications/${made.id}`);
    await until(async () => String(await statuses(service, made.key, '/tokens')) === '401', 1_000);
  },
);

processes(
  'given requests to several processes, when the metrics are asked for, then they are those of all',
  async ({ service }) => {
    const healthy = (): Promise<unknown> =>
      fetch(`${service.url}/healthz`, { headers: { Connection: 'close' } });
    await Promise.all(Array.from({ length: 9 }, healthy));
    await until(async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return text.includes(
        'http_request_duration_seconds_count{method="GET",route="/healthz",status="200"} 9',
      );
    });
  },
);

processes(
  'given an idempotency key, when requests with it meet different processes, then one token is made',
  async ({ service }) => {
    const key = service.credentials.private;
    const headers = { 'BT-IDEMPOTENCY-KEY': randomUUID() };
    const create = () =>
      request<{ id: string }>(service, 'POST', '/tokens', {
        key,
        headers,
        body: { type: 'token', data: 'once', metadata: { batch: headers['BT-IDEMPOTENCY-KEY'] } },
      });
    const atOnce = await Promise.all(Array.from({ length: 12 }, create));
    assert.equal([...new Set(atOnce.map(({ status }) => status))].sort(), [201, 409]);
    const later = await Promise.all(Array.from({ length: 12 }, create));
    assert.equal([...new Set(later.map(({ status }) => status))], [201]);
    const made = [...atOnce, ...later].filter(({ status }) => status === 201);
    assert.is(new Set(made.map(({ body }) => body.id)).size, 1);
    const listed = await request<{ data: unknown[] }>(
      service,
      'GET',
      `/tokens?metadata.batch=${headers['BT-IDEMPOTENCY-KEY']}`,
      { key },
    );
    assert.is(listed.body.data.length, 1);
  },
);

const apiProcesses = (service: ServiceProcess): number[] => childrenOf(service, 'apiProcess.ts');

processes(
  'given an API process that hangs, when requests come over new connections and it is killed, then each is answered',
  async ({ service }) => {
    await until(() => apiProcesses(service).length === 3);
    const [victim] = apiProcesses(service);
    assert.type(victim, 'number');
    process.kill(Number(victim), 'SIGSTOP');
    const answers = Promise.all(
      Array.from({ length: 12 }, async () => {
        const headers = { Connection: 'close' };
        const response = await fetch(`${service.url}/healthz`, {
          headers,
          signal: AbortSignal.timeout(10_000),
        });
        return response.status;
      }),
    );
    await sleep(200);
    process.kill(Number(victim), 'SIGKILL');
    assert.equal([...new Set(await answers)], [200]);
  },
);

processes(
  'given several API processes, when one is killed, then the others answer and it is replaced',
  async ({ service }) => {
    const { private: key } = service.credentials;
    await until(() => apiProcesses(service).length === 3);
    const before = apiProcesses(service);
    const [victim] = before;
    if (victim !== undefined) process.kill(victim, 'SIGKILL');
    await until(() => service.said().includes('an API process ended and is replaced'));
    await until(async () => {
      assert.equal(await statuses(service, key, '/tokens'), [200]);
      return apiProcesses(service).some((pid) => !before.includes(pid));
    });
  },
);

processes.run();
