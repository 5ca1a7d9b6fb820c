import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, manage } from '#test/webhooks/support/webhooks.ts';

const contents = webhookSuite('contents of messages');

contents(
  'given a token that is changed, when it is told, then also what an update does not change, and who changed it',
  async ({ service, receiver }) => {
    await createWebhook(service, receiver.url, ['token.created', 'token.updated']);
    const id = await createToken(service);
    await service.call('PATCH', `/tokens/${id}`, { metadata: { colour: 'blue' } });
    await until(() => receiver.received.length === 2);
    const [created, updated] = receiver.messages().map(({ data }) => data['token'] ?? {});
    const { modified_at, modified_by, metadata, ...unchanged } = updated ?? {};
    assert.equal(unchanged, created);
    assert.is(unchanged['type'], 'token');
    assert.equal([modified_by, metadata], [unchanged['created_by'], { colour: 'blue' }]);
    assert.ok(Number.isFinite(Date.parse(String(modified_at))));
  },
);

contents(
  'given asynchronous invocations, when they are told, then with the name of the reactor, the request and what came of it',
  async ({ service, receiver }) => {
    await createWebhook(service, receiver.url, ['reactor.invoked', 'reactor.completed', 'reactor.failed']);
    const code =
      'module.exports = ({ args }) => { if (args.fails) throw new Error("x"); return { raw: 1 }; };';
    const made = await manage<{ id: string }>(service, 'POST', '/reactors', {
      name: 'Charge',
      code,
      configuration: {},
    });
    assert.is(made.status, 201, JSON.stringify(made.body));
    const { id } = made.body;
    for (const fails of [false, true]) {
      const asked = await service.call<{ asyncReactorRequestId: string }>(
        'POST',
        `/reactors/${id}/react-async`,
        { args: { fails } },
      );
      const request = { id: asked.body.asyncReactorRequestId, invocation_type: 'async' };
      const count = fails ? 4 : 2;
      await until(() => receiver.received.length === count);
      const [invoked, ended] = receiver.messages().slice(-2);
      const reactor = { id, name: 'Charge' };
      assert.equal([invoked?.type, invoked?.data], ['reactor.invoked', { reactor, request }]);
      const { elapsed_ms, error, ...rest } = ended?.data ?? {};
      assert.equal([ended?.type, rest], [`reactor.${fails ? 'failed' : 'completed'}`, { reactor, request }]);
      assert.type(elapsed_ms, 'number');
      assert.type(error, fails ? 'string' : 'undefined');
    }
  },
);

contents.run();
