import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, manage, patch } from '#test/reactors/support/reactors.ts';
import type { Problem } from '#test/reactors/support/reactors.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

const react = suite<{ service: VaultService }>('react');

react.before(async (context) => {
  context.service = await startVaultService();
});
react.after(({ service }) => service.close());

type Answer = { raw?: unknown; tokens?: unknown };

/** Invokes code that was made into a reactor. */
async function invoke<Body = Answer>(
  service: VaultService,
  code: string,
  body: unknown = {},
  key?: string,
): Promise<Reply<Body>> {
  const { id } = await create(service, { code, configuration: { region: 'eu' } });
  return service.call<Body>('POST', `/reactors/${id}/react`, body, key === undefined ? {} : { key });
}

const echo = 'module.exports = async (req) => ({ raw: req })';
const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2035 };

async function createToken(service: VaultService, token: object): Promise<string> {
  const reply = await service.call<{ id: string }>('POST', '/tokens', token);
  assert.is(reply.status, 201);
  return reply.body.id;
}

react(
  'given code, when it is invoked, then it sees args, configuration and no client without application',
  async ({ service }) => {
    const reply = await invoke(service, echo, { args: { a: [1, null, { b: 'ü' }] } });
    assert.equal(
      [reply.status, reply.body.raw],
      [200, { args: { a: [1, null, { b: 'ü' }] }, configuration: { region: 'eu' }, bt: null }],
    );
    assert.equal((await invoke(service, echo)).body.raw, {
      args: null,
      configuration: { region: 'eu' },
      bt: null,
    });
  },
);

react(
  'given expressions, when code is invoked, then it sees the data of tokens, whatever their mask',
  async ({ service }) => {
    const id = await createToken(service, { type: 'card', data: { ...card, cvc: '123' } });
    const args = {
      whole: `{{ ${id} }}`,
      number: `{{ ${id} | json: '$.number' }}`,
      text: `no. {{${id} | json: '$.number'}}`,
    };
    const code = 'module.exports = (req) => ({ raw: req.args })';
    assert.equal((await invoke(service, code, { args })).body.raw, {
      whole: { ...card, cvc: '123' },
      number: card.number,
      text: `no. ${card.number}`,
    });
    assert.equal((await invoke(service, code, { args: `{{${id}}}` })).body.raw, { ...card, cvc: '123' });
  },
);

react(
  'given what is wrong with a request, when code is invoked, then the first fault is answered',
  async ({ service }) => {
    const { id } = await create(service, { code: echo });
    const statusOf = async (path: string, body: unknown, key?: string): Promise<number> =>
      (await service.call('POST', path, body, key === undefined ? {} : { key })).status;
    const unknown = '/reactors/00000000-0000-4000-8000-000000000000/react';
    assert.is(await statusOf(unknown, 'no object', 'key_of_nobody'), 401);
    assert.is(await statusOf(unknown, 'no object', service.keys.management), 403);
    assert.is(await statusOf(unknown, 'no object'), 404);
    assert.is(await statusOf(unknown, {}, (await service.anotherTenant()).private), 404);
    assert.is(await statusOf(`/reactors/${id}/react`, {}, (await service.anotherTenant()).private), 404);
    assert.is(await statusOf(`/reactors/${id}/react`, 'no object'), 400);
    assert.is(await statusOf(`/reactors/${id}/react`, { args: 'x'.repeat(1_100_000) }), 413);
  },
);

react(
  'given tokens that are not there or not granted, when code is invoked, then it does not run',
  async ({ service }) => {
    const id = await createToken(service, { type: 'token', data: 'secret', containers: ['/a/'] });
    const missing = '00000000-0000-4000-8000-000000000000';
    const refused = await invoke<Problem>(service, echo, { args: { deep: [`{{${missing}}}`] } });
    assert.equal(
      [refused.status, refused.body.errors],
      [400, { 'args.deep[0]': [`Failed to detokenize some tokens: ${missing}`] }],
    );
    const elsewhere = await service.ruledKey({
      description: 'b',
      container: '/b/',
      permissions: ['token:use'],
      transform: 'reveal',
    });
    assert.is((await invoke(service, echo, { args: `{{${id}}}` }, elsewhere)).status, 403);
    const there = await service.ruledKey({
      description: 'a',
      container: '/a/',
      permissions: ['token:use'],
      transform: 'reveal',
    });
    assert.is((await invoke(service, echo, { args: `{{${id}}}` }, there)).status, 200);
    const many = Array.from(
      { length: 101 },
      (_, index) => `{{00000000-0000-4000-8000-${String(index).padStart(12, '0')}}}`,
    );
    assert.is((await invoke(service, echo, { args: many })).status, 400);
  },
);

react(
  'given no module that exports a function, when it is invoked, then that is 422',
  async ({ service }) => {
    for (const code of ['module.exports = (', 'module.exports = {}', '1']) {
      const { status, body } = await invoke<Problem>(service, code);
      assert.equal([status, body.detail], [422, 'Invalid Reactor Formula'], code);
    }
  },
);

react(
  'given what code returns, when it is answered, then only raw and tokens are there',
  async ({ service }) => {
    const bodyOf = async (returned: string): Promise<unknown> =>
      (await invoke(service, `module.exports = () => (${returned})`)).body;
    assert.equal(await bodyOf('undefined'), {});
    assert.equal(await bodyOf('"text"'), {});
    assert.equal(await bodyOf('{ raw: "text", other: 1 }'), { raw: 'text' });
    assert.equal(await bodyOf('{ raw: null, tokenize: null }'), { raw: null });
  },
);

react(
  'given values to tokenize, when code returns them, then they become tokens of the caller',
  async ({ service }) => {
    const code = `module.exports = (req) => ({ tokenize: { a: 'one', list: [{ type: 'card', data: req.args }] } })`;
    const { status, body } = await invoke<{ tokens: { a: string; list: Record<string, unknown>[] } }>(
      service,
      code,
      { args: card },
    );
    assert.is(status, 200);
    assert.equal((await invoke(service, echo, { args: `{{${body.tokens.a}}}` })).body.raw, {
      args: 'one',
      configuration: { region: 'eu' },
      bt: null,
    });
    assert.equal(body.tokens.list[0]?.['data'], { ...card, number: 'XXXXXXXXXXXX4242' });
    const may = await service.ruledKey({
      description: 'use',
      container: '/',
      permissions: ['token:use'],
      transform: 'reveal',
    });
    assert.is((await invoke(service, code, { args: card }, may)).status, 403);
    const bad = await invoke<Problem>(
      service,
      `module.exports = () => ({ tokenize: { a: { type: 'card_number', data: '1' } } })`,
    );
    assert.equal([bad.status, Object.keys(bad.body.errors ?? {})], [400, ['tokenize.a.data']]);
  },
);

react('given a reactor, when it is updated, then old code never runs again', async ({ service }) => {
  const { id } = await create(service, { code: 'module.exports = () => ({ raw: 0 })' });
  for (let version = 1; version <= 20; version += 1) {
    await patch(service, id, { code: `module.exports = () => ({ raw: ${version} })` });
    const replies = await Promise.all(
      [1, 2, 3].map(() => service.call<Answer>('POST', `/reactors/${id}/react`, {})),
    );
    assert.equal(
      replies.map(({ body }) => body.raw),
      [version, version, version],
    );
  }
  await patch(service, id, {
    code: 'module.exports = (req) => ({ raw: req.configuration })',
    configuration: { new: 'n' },
  });
  assert.equal((await service.call<Answer>('POST', `/reactors/${id}/react`, {})).body.raw, { new: 'n' });
  await manage(service, 'DELETE', `/${id}`);
  assert.is((await service.call('POST', `/reactors/${id}/react`, {})).status, 404);
});

react(
  'given tokens that code was given, when it was invoked, then the log tells of each, and of the reactor',
  async ({ service }) => {
    const token = await createToken(service, { type: 'token', data: 'secret' });
    const { id } = await create(service, { code: echo });
    await service.call('POST', `/reactors/${id}/react`, { args: `{{${token}}}` });
    const { body } = await service.call<{ data: { entity_id: string; operation: string }[] }>(
      'GET',
      '/logs?size=50',
      undefined,
      {
        key: service.keys.management,
      },
    );
    const told = body.data.map(({ entity_id, operation }) => `${operation} ${entity_id}`);
    assert.ok(told.includes(`invoke ${id}`) && told.includes(`use ${token}`), told.join('\n'));
  },
);

react.run();
