import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, createApplication } from '#test/reactors/support/reactors.ts';
import type { Application } from '#test/reactors/support/reactors.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; application: Application };
const nested = suite<Context>('reactors and their applications');

nested.before(async (context) => {
  context.service = await startVaultService({ environment: { HOLDFAST_REACTOR_CONCURRENCY: '2' } });
  context.application = await createApplication(context.service, 'private', ['token:use', 'token:create']);
});
nested.after(({ service }) => service.close());

const react = <Body = { raw?: unknown }>(
  { call }: VaultService,
  id: string,
  body: object = {},
  key?: string,
) => call<Body>('POST', `/reactors/${id}/react`, body, key === undefined ? {} : { key });

nested(
  'given reactors that call reactors, when they take all places, then none waits for its own',
  async ({ service, application }) => {
    const inner = await create(service, {
      code: 'module.exports = async () => { await new Promise((done) => setTimeout(done, 30)); return { raw: 1 }; }',
    });
    const outer = await create(service, {
      code: `module.exports = async (req) => req.bt.reactors.react('${inner.id}', {})`,
      application: { id: application.id },
    });
    // A machine that is slow to start the first process of code refuses who waits too long: not the matter here.
    await until(async () => (await react(service, outer.id)).status === 200, 60_000);
    const replies = await Promise.all(Array.from({ length: 6 }, () => react(service, outer.id)));
    assert.equal(
      replies.map(({ status, body }) => [status, body.raw]),
      replies.map(() => [200, 1]),
    );
  },
);

nested(
  'given more asynchronous invocations than places, when they are accepted, then each is run',
  async ({ service }) => {
    const { id } = await create(service, {
      code: 'module.exports = async () => { await new Promise((done) => setTimeout(done, 700)); return { raw: 1 }; }',
    });
    const asked = await Promise.all(
      Array.from({ length: 9 }, () =>
        service.call<{ asyncReactorRequestId: string }>('POST', `/reactors/${id}/react-async`, {}),
      ),
    );
    for (const { body } of asked) {
      const reply = await until(async () => {
        const result = await service.call('GET', `/reactors/${id}/results/${body.asyncReactorRequestId}`);
        return result.status !== 404 && result;
      });
      assert.equal([reply.status, reply.body], [200, { raw: 1 }]);
    }
  },
);

nested(
  'given an application that is deleted, when code is run, then it has no client',
  async ({ service }) => {
    const own = await createApplication(service, 'private', ['token:create']);
    const { id } = await create(service, {
      code: 'module.exports = (req) => ({ raw: req.bt === null })',
      application: { id: own.id },
    });
    assert.is((await react(service, id)).body.raw, false);
    await service.call('DELETE', `/applications/${own.id}`, undefined, { key: service.keys.management });
    assert.is((await react(service, id)).body.raw, true);
  },
);

nested(
  'given a caller that is deleted while its code runs, when that returns, then no token is made',
  async ({ service }) => {
    const caller = await createApplication(service, 'private', ['token:use', 'token:create']);
    const own = await createApplication(service, 'private', ['token:create', 'token:read']);
    const { id } = await create(service, {
      // Tells that it runs, and returns when it is told that the caller is gone.
      code: `module.exports = async (req) => {
        if (req.args === 'wait') {
          await req.bt.tokens.create({ id: 'running', type: 'token', data: 1 });
          while (!(await req.bt.tokens.retrieve('gone').catch(() => undefined)));
        }
        return { tokenize: 'x' };
      }`,
      application: { id: own.id },
    });
    const exists = async (token: string): Promise<boolean> =>
      (await service.call('GET', `/tokens/${token}`)).status === 200;
    assert.is((await react(service, id, {}, caller.key)).status, 200);
    const running = react(service, id, { args: 'wait' }, caller.key);
    await until(() => exists('running'));
    await service.call('DELETE', `/applications/${caller.id}`, undefined, { key: service.keys.management });
    await service.call('POST', '/tokens', { id: 'gone', type: 'token', data: 1 });
    assert.is((await running).status, 401);
  },
);

nested(
  'given a large custom response, when it is thrown, then it comes whole or not at all',
  async ({ service }) => {
    const { id } = await create(service, {
      code: `const { CustomHttpResponseError } = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');
      module.exports = (req) => { throw new CustomHttpResponseError({ status: 201, body: { text: 'x'.repeat(req.args) } }); }`,
    });
    const whole = await react<{ text: string }>(service, id, { args: 1_000_000 });
    assert.equal([whole.status, whole.body.text.length], [201, 1_000_000]);
    const cut = await react<{ errors?: { error: string[] } }>(service, id, { args: 6_000_000 });
    assert.is(cut.status, 500);
    assert.match(cut.body.errors?.error[0] ?? '', 'too large');
  },
);

nested.run();
