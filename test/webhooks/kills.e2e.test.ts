import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { postmasterOf } from '#test/support/postmasterOf.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Message } from '#test/webhooks/support/receiver.ts';

/** `HOLDFAST_TEST_KILLS=20 node test/webhooks/kills.e2e.test.ts` kills more often. */
const rounds = Number(process.env['HOLDFAST_TEST_KILLS'] ?? 2);
/** A start after a kill, and what it has to catch up with, in milliseconds. */
const patience = 60_000;

const environment = { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' };

const kills = suite<{ directory: string }>('webhooks of a service that is killed');

kills.before(async (context) => {
  context.directory = await newPreparedDirectory();
});
kills.after(({ directory }) => removeDataDirectory(directory));

/** A client that creates tokens and is refused, or not answered at all, goes on. */
class Clients {
  readonly acknowledged = new Set<string>();
  readonly #working: Promise<unknown>;
  #stopped = false;

  constructor(service: () => ServiceProcess) {
    this.#working = Promise.all(Array.from({ length: 4 }, () => this.#create(service)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #create(service: () => ServiceProcess): Promise<void> {
    while (!this.#stopped) {
      const { private: key } = service().credentials;
      const body = { type: 'token', data: 'secret' };
      const answer = await request<{ id: string }>(service(), 'POST', '/tokens', { key, body }).catch(
        () => undefined,
      );
      if (answer?.status === 201) this.acknowledged.add(answer.body.id);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** What a dead worker had taken is free after a minute; so is it here, at once. */
async function letLeasesEnd(directory: string): Promise<void> {
  const database = await connectToDataDirectory(directory, silentLogger);
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(
    `update work.webhook_deliveries set claimed_until = now() - interval '1 second' where claimed_until is not null`,
  );
  await client.end();
  await database.close();
}

kills(
  `given tokens being created, when worker and Postgres are killed in turn, ${rounds} times in all, then every event arrives, under one id`,
  async ({ directory }) => {
    const receiver = await startReceiver();
    receiver.answer = (response) => {
      setTimeout(() => response.writeHead(204).end(), Math.random() * 20);
    };
    let service = await startService(directory, environment);
    const { management } = service.credentials;
    const hook = { name: 'hook', url: receiver.url, events: ['token.created'] };
    const made = await request<{ id: string }>(service, 'POST', '/webhooks', { key: management, body: hook });
    assert.is(made.status, 201);
    const clients = new Clients(() => service);
    for (let round = 0; round < rounds; round++) {
      const before = receiver.received.length;
      await until(() => receiver.received.length > before + 100, patience);
      const postmaster = await postmasterOf(directory);
      if (round % 2 === 1) {
        process.kill(postmaster, 'SIGKILL');
      } else {
        await service.end('SIGKILL');
        service = await startService(directory, environment);
      }
    }
    await until(async () => (await fetch(`${service.url}/readyz`)).status === 200, patience);
    await clients.stop();
    await letLeasesEnd(directory);

    const idsOf = new Map<string, Set<string>>();
    let read = 0;
    const missing = (): string[] => {
      for (const { body } of receiver.received.slice(read)) {
        const { id, data } = JSON.parse(body) as Message;
        const token = String(data['token']?.['id']);
        idsOf.set(token, (idsOf.get(token) ?? new Set()).add(id));
        read++;
      }
      return [...clients.acknowledged].filter((token) => !idsOf.has(token));
    };
    await until(() => missing().length === 0, patience).catch(() => assert.equal(missing(), []));
    assert.equal(
      [...idsOf].filter(([, ids]) => ids.size > 1),
      [],
    );
    const listed = await until(async () => {
      const path = `/webhooks/${made.body.id}/deliveries?status=pending`;
      const { body } = await request<{ data: unknown[] }>(service, 'GET', path, { key: management });
      return body.data.length === 0 && body.data;
    }, patience);
    assert.equal(listed, []);
    process.stdout.write(
      `${clients.acknowledged.size} acknowledged, ${idsOf.size} events arrived, ${receiver.received.length - idsOf.size} of them twice\n`,
    );
    assert.is(await service.end(), 0);
    await receiver.close();
  },
);

kills.run();
