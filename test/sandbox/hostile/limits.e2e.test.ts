import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create } from '#test/reactors/support/reactors.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const test = suite<{ service: VaultService }>('hostile: limits');

const settings = {
  HOLDFAST_REACTOR_TIMEOUT: '3s',
  HOLDFAST_REACTOR_CONCURRENCY: '2',
  HOLDFAST_REACTOR_MACHINE_CONCURRENCY: '2',
  HOLDFAST_REACTOR_HOSTS: '2',
};
const sleeping = `module.exports = async (req) => {
  await new Promise((done) => setTimeout(done, req.args.sleep));
  return { raw: 'awake' };
};`;

test.before(async (context) => {
  context.service = await startVaultService({ environment: settings });
});
test.after(({ service }) => service.close());

async function reactorOf(service: VaultService, management: string): Promise<string> {
  const body = { name: 'sleeps', code: sleeping, configuration: {} };
  const reply = await service.call<{ id: string }>('POST', '/reactors', body, { key: management });
  assert.is(reply.status, 201);
  return reply.body.id;
}

const react = (service: VaultService, id: string, args: unknown, key = service.keys.private) =>
  service.call<{ raw?: unknown }>('POST', `/reactors/${id}/react`, { args }, { key });

test('given a payload over 1 MB or a token too many, when code is invoked, then it is refused before', async ({
  service,
}) => {
  const { id } = await create(service, { code: sleeping });
  assert.is((await react(service, id, 'x'.repeat(1024 * 1024))).status, 413);
  const expressions = (count: number): string[] =>
    Array.from({ length: count }, () => `{{${crypto.randomUUID()}}}`);
  const [most, tooMany] = await Promise.all([
    react(service, id, expressions(100)),
    react(service, id, expressions(101)),
  ]);
  const messages = [most, tooMany].map(({ body }) => JSON.stringify(body));
  assert.equal([most.status, tooMany.status], [400, 400]);
  assert.match(messages[0] ?? '', 'Failed to detokenize');
  assert.not.match(messages[1] ?? '', 'Failed to detokenize');
});

test('given more calls than a tenant may have at a time, when they are made, then some wait, and the rest get 429', async ({
  service,
}) => {
  const { id } = await create(service, { code: sleeping });
  assert.is((await react(service, id, { sleep: 1 })).status, 200);
  // Two at a time: the third and fourth wait for 1.2 s, the fifth and sixth for longer than anybody waits.
  const replies = await Promise.all(Array.from({ length: 6 }, () => react(service, id, { sleep: 1_200 })));
  const statuses = replies.map(({ status }) => status).sort();
  assert.equal(statuses, [200, 200, 200, 200, 429, 429]);
  const refused = replies.find(({ status }) => status === 429);
  assert.is(refused?.headers.get('retry-after'), '1');
  assert.is(refused?.headers.get('content-type')?.split(';')[0], 'application/problem+json');
});

test('given a tenant that has taken all places, when others call, then each is let in, and an idle host makes room', async ({
  service,
}) => {
  const { id } = await create(service, { code: sleeping });
  const taken = [1, 2].map(() => react(service, id, { sleep: 2_500 }));
  // The hosts are two: after the first of them, each other tenant gets the one that idles.
  for (let other = 0; other < 3; other += 1) {
    const keys = await service.anotherTenant();
    const { status, body } = await react(
      service,
      await reactorOf(service, keys.management),
      { sleep: 1 },
      keys.private,
    );
    assert.equal([status, body.raw], [200, 'awake']);
  }
  assert.equal(
    (await Promise.all(taken)).map(({ status }) => status),
    [200, 200],
  );
});

test('given hosts that are all busy with others, when a tenant calls, then it is told to come again', async ({
  service,
}) => {
  const busy = await Promise.all(
    [1, 2].map(async () => {
      const keys = await service.anotherTenant();
      return { keys, id: await reactorOf(service, keys.management) };
    }),
  );
  const taken = busy.map(({ keys, id }) => react(service, id, { sleep: 2_000 }, keys.private));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { id } = await create(service, { code: sleeping });
  assert.is((await react(service, id, { sleep: 1 })).status, 429);
  assert.equal(
    (await Promise.all(taken)).map(({ status }) => status),
    [200, 200],
  );
  assert.is((await react(service, id, { sleep: 1 })).status, 200);
});

test.run();
