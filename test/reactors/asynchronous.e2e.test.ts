import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failedAnswer } from '#src/reactors/problems.ts';
import { randomId } from '#src/identifiers.ts';
import { createApplication } from '#test/reactors/support/reactors.ts';
import {
  eventsOf,
  fakeReactors,
  json,
  payloadsOf,
  problemJson,
  quick,
  typesOf,
} from '#test/reactors/support/invocations.ts';
import type { FakeReactors } from '#test/reactors/support/invocations.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Asked = { asyncReactorRequestId: string };
type Problem = { status: number; detail: string; errors?: Record<string, string[]> };
type Context = { service: VaultService; reactors: FakeReactors };

const asynchronous = suite<Context>('asynchronous invocations');

asynchronous.before(async (context) => {
  context.reactors = fakeReactors();
  context.service = await startVaultService({ reactors: context.reactors, invocations: quick });
});
asynchronous.after(({ service }) => service.close());
asynchronous.before.each(({ reactors }) => {
  Object.assign(reactors, { ...fakeReactors(), run: reactors.run });
});

async function ask(service: VaultService, reactorId: string, args: unknown = {}): Promise<string> {
  const reply = await service.call<Asked>('POST', `/reactors/${reactorId}/react-async`, { args });
  assert.is(reply.status, 202, JSON.stringify(reply.body));
  assert.equal(Object.keys(reply.body), ['asyncReactorRequestId']);
  return reply.body.asyncReactorRequestId;
}

const result = <Body = Problem>(
  service: VaultService,
  reactorId: string,
  id: string,
  key?: string,
): Promise<Reply<Body>> =>
  service.call<Body>(
    'GET',
    `/reactors/${reactorId}/results/${id}`,
    undefined,
    key === undefined ? {} : { key },
  );

const ended = async <Body = Problem>(service: VaultService, reactorId: string, id: string) =>
  until(async () => {
    const reply = await result<Body>(service, reactorId, id);
    return reply.status === 404 ? undefined : reply;
  });

asynchronous(
  'given a reactor, when it is invoked asynchronously, then it runs once with the arguments and its answer can be had',
  async ({ service, reactors }) => {
    const reactorId = randomId();
    const id = await ask(service, reactorId, { amount: 12 });
    const reply = await ended<unknown>(service, reactorId, id);
    assert.equal([reply.status, reply.body], [200, { raw: { amount: 12 } }]);
    assert.is(reply.headers.get('content-type'), json['Content-Type']);
    assert.equal(
      reactors.runs.map(({ prepared: { args }, milliseconds }) => [JSON.parse(args), milliseconds]),
      [[{ amount: 12 }, 300_000]],
    );
    assert.equal(await typesOf(service, id), ['reactor.invoked', 'reactor.started', 'reactor.completed']);
  },
);

asynchronous(
  'given a run under way, when its result is asked for, then there is none yet, and the problem says how it stands',
  async ({ service, reactors }) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    reactors.answer = async () => {
      await promise;
      return { status: 200, headers: json, body: {} };
    };
    const reactorId = randomId();
    const id = await ask(service, reactorId);
    await until(() => reactors.runs.length === 1);
    const reply = await result(service, reactorId, id);
    assert.is(reply.status, 404);
    assert.match(reply.body.detail, /running/);
    resolve(undefined);
    assert.is((await ended(service, reactorId, id)).status, 200);
  },
);

asynchronous(
  'given code that throws, when its result is asked for, then it is the problem with its status',
  async ({ service, reactors }) => {
    const body = {
      title: 'x',
      status: 402,
      detail: 'Invalid Payment Method',
      errors: { error: ['card 4242'] },
    };
    reactors.answer = () => Promise.resolve({ status: 402, headers: problemJson, body });
    const reactorId = randomId();
    const id = await ask(service, reactorId);
    const reply = await ended(service, reactorId, id);
    assert.equal([reply.status, reply.body], [402, body]);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/);
    const failed = (await eventsOf(service, id)).at(-1);
    assert.equal(
      [failed?.type, failed?.data['reason'], failed?.data['error']],
      ['reactor.failed', 'code', 'Invalid Payment Method'],
    );
    assert.not.match(JSON.stringify(failed?.data), /card 4242/);
  },
);

asynchronous(
  'given a response that the code composed, when it is asked for, then it has its status, headers and body',
  async ({ service, reactors }) => {
    reactors.answer = () => Promise.resolve({ status: 418, headers: { 'X-Tea': 'green' }, body: ['pot'] });
    const reactorId = randomId();
    const id = await ask(service, reactorId);
    const reply = await ended<unknown>(service, reactorId, id);
    assert.equal([reply.status, reply.headers.get('x-tea'), reply.body], [418, 'green', ['pot']]);
    assert.is((await typesOf(service, id)).at(-1), 'reactor.completed');
  },
);

asynchronous(
  'given a result, when another reactor, application or tenant asks for it, then there is none',
  async ({ service }) => {
    const reactorId = randomId();
    const id = await ask(service, reactorId);
    await ended(service, reactorId, id);
    const other = await createApplication(service, 'private', ['token:use']);
    const stranger = await service.anotherTenant();
    assert.is((await result(service, randomId(), id)).status, 404);
    assert.is((await result(service, reactorId, randomId())).status, 404);
    assert.is((await result(service, reactorId, 'nonsense')).status, 404);
    assert.is((await result(service, reactorId, id, other.key)).status, 404);
    assert.is((await result(service, reactorId, id, stranger.private)).status, 404);
    assert.is((await result(service, reactorId, id, service.keys.management)).status, 403);
  },
);

asynchronous(
  'given code that does not compile, when it is invoked asynchronously, then that is said at once and nothing runs',
  async ({ service, reactors }) => {
    const wrong = failedAnswer({ kind: 'not_a_function' }, 1_000);
    reactors.checkCode = () => Promise.resolve(wrong);
    const reply = await service.call('POST', `/reactors/${randomId()}/react-async`, { args: {} });
    assert.equal([reply.status, reply.body], [422, wrong.body]);
    assert.equal(reactors.runs, []);
  },
);

asynchronous(
  'given an idempotency key, when the request is repeated, then it is one invocation',
  async ({ service, reactors }) => {
    const reactorId = randomId();
    const again = () =>
      service.call<Asked>(
        'POST',
        `/reactors/${reactorId}/react-async`,
        { args: 1 },
        {
          headers: { 'BT-IDEMPOTENCY-KEY': 'once' },
        },
      );
    const [first, second] = [await again(), await again()];
    assert.equal(first.body, second.body);
    await ended(service, reactorId, first.body.asyncReactorRequestId);
    assert.is(reactors.runs.length, 1);
  },
);

asynchronous(
  'given a run that has ended, when the vault is looked at, then the arguments are gone and the result has its day',
  async ({ service }) => {
    const reactorId = randomId();
    const id = await ask(service, reactorId);
    await ended(service, reactorId, id);
    const result = (await eventsOf(service, id)).at(-1)?.data['result_payload_id'];
    await until(async () => (await payloadsOf(service, id)).length === 1);
    assert.equal(await payloadsOf(service, id), [result]);
    const { rows } = await service.composition.pools.owner.query<{ hours: string }>(
      'select extract(epoch from expires_at - created_at) / 3600 as hours from vault.payloads where id = $1',
      [result],
    );
    assert.ok(Math.abs(Number(rows[0]?.hours) - 24) < 0.1, rows[0]?.hours);
  },
);

asynchronous(
  'given arguments that were kept for too long, when their turn comes, then they are not run and it says so',
  async ({ service, reactors }) => {
    const reactorId = randomId();
    const { vault } = service.composition;
    const { read } = vault;
    // As if a day had passed.
    vault.read = (_, references) => Promise.resolve(references.map(() => undefined));
    const id = await ask(service, reactorId);
    await until(async () => (await typesOf(service, id)).includes('reactor.failed'));
    vault.read = read;
    assert.is((await eventsOf(service, id)).at(-1)?.data['reason'], 'too_late');
    assert.equal(await typesOf(service, id), ['reactor.invoked', 'reactor.failed']);
    assert.equal(reactors.runs, []);
  },
);

asynchronous.run();
