import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf } from '#test/support/childrenOf.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const limited = suite<{ directory: string; service: ServiceProcess }>('limits of several API processes');

limited.before(async (context) => {
  context.directory = await newPreparedDirectory();
  context.service = await startService(context.directory, {
    HOLDFAST_PROCESSES: '2',
    HOLDFAST_RATE_LIMITS: 'token_list=40,token_create=10',
    HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
  });
});

limited.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

const list = async (service: ServiceProcess, client: string): Promise<number> =>
  (
    await request(service, 'GET', '/tokens', {
      key: service.credentials.private,
      headers: { 'X-Forwarded-For': client },
    })
  ).status;

/** While one process answers alone: the other is halted, and who connects is free to be taken by either. */
async function alone(
  service: ServiceProcess,
  index: number,
  client: string,
  count: number,
): Promise<number[]> {
  const halted = childrenOf(service, 'apiProcess.ts').filter((_, place) => place !== index);
  for (const pid of halted) process.kill(pid, 'SIGSTOP');
  try {
    return await Promise.all(Array.from({ length: count }, () => list(service, client)));
  } finally {
    for (const pid of halted) process.kill(pid, 'SIGCONT');
  }
}

const countOf = (answers: readonly number[], status: number): number =>
  answers.filter((answer) => answer === status).length;

limited(
  'given connections to both processes, when a client is over a limit, then the sum was allowed and both refuse',
  async ({ service }) => {
    const client = '198.51.100.1';
    assert.is(countOf(await alone(service, 0, client, 25), 200), 25);
    const beyond = await alone(service, 1, client, 25);
    assert.equal([countOf(beyond, 200), countOf(beyond, 429)], [15, 10]);
    assert.equal(await alone(service, 0, client, 3), [429, 429, 429]);
    assert.is(await list(service, '198.51.100.2'), 200);
  },
);

limited(
  'given a client that was blocked, when ten seconds are over, then it goes on',
  async ({ service }) => {
    const client = '198.51.100.3';
    await until(async () => (await list(service, client)) === 429);
    const start = performance.now();
    await until(async () => (await list(service, client)) === 200, 30_000);
    const seconds = (performance.now() - start) / 1_000;
    assert.ok(seconds > 9.5 && seconds < 20, `${seconds} seconds`);
  },
);

limited(
  'given tokens that are created and tokenized, then both count for one limit, and the logs name the client',
  async ({ service }) => {
    const { private: key, management } = service.credentials;
    const headers = { 'X-Forwarded-For': '198.51.100.4' };
    const statuses: number[] = [];
    for (let made = 0; made < 12; made++) {
      const [path, body] =
        made % 2 === 0 ? ['/tokens', { type: 'token', data: made }] : ['/tokenize', { a: made }];
      statuses.push((await request(service, 'POST', String(path), { key, body, headers })).status);
    }
    assert.equal(
      statuses.slice(0, 10).filter((status) => status >= 300),
      [],
    );
    assert.equal(statuses.slice(10), [429, 429]);
    assert.is(await list(service, '198.51.100.4'), 200);
    const logs = await request<{ data: { client_address?: string }[] }>(service, 'GET', '/logs', {
      key: management,
    });
    assert.ok(logs.body.data.some(({ client_address: address }) => address === '198.51.100.4'));
  },
);

limited.run();
