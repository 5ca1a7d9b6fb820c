import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, patch } from '#test/reactors/support/reactors.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const test = suite<{ service: VaultService; fresh: VaultService }>('hostile: isolation');

test.before(async (context) => {
  [context.service, context.fresh] = await Promise.all([
    startVaultService({ environment: { HOLDFAST_REACTOR_TIMEOUT: '5s' } }),
    startVaultService({
      environment: { HOLDFAST_REACTOR_TIMEOUT: '5s', HOLDFAST_REACTOR_CONTEXTS: 'fresh' },
    }),
  ]);
});
test.after(async ({ service, fresh }) => {
  await Promise.all([service.close(), fresh.close()]);
});

/** Leaves something behind wherever code can write, and tells what was there before. */
const marking = `const places = [globalThis, Object.prototype, Array.prototype, require, console, process, process.env,
    Promise, Error, require('axios'), require('crypto'), require('url').URL, JSON];
  let own = 0;
  module.exports = async (req) => {
    const met = places.map((place) => place.mark).filter((mark) => mark !== undefined);
    for (const place of places) place.mark = req.args.mark;
    own += 1;
    return { raw: { met: [...new Set(met)], own } };
  };`;

type Marks = { raw: { met: unknown[]; own: number } };

const react = async <Body>(service: VaultService, id: string, args: unknown = {}): Promise<Body> => {
  const reply = await service.call<Body>('POST', `/reactors/${id}/react`, { args });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
};

test('given what one reactor leaves behind, when others run, also with the same code, then they do not meet it', async ({
  service,
}) => {
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => (await create(service, { code: marking })).id),
  );
  for (let round = 0; round < 3; round += 1) {
    const all = await Promise.all(ids.map((id) => react<Marks>(service, id, { mark: id })));
    // Its own, for contexts are used again.
    all.forEach(({ raw }, index) => {
      assert.ok(
        raw.met.every((mark) => mark === ids[index]),
        JSON.stringify(raw),
      );
    });
  }
});

test('given contexts that are fresh for each call, when code runs again, then it meets nothing', async ({
  fresh,
}) => {
  const { id } = await create(fresh, { code: marking });
  for (let call = 0; call < 5; call += 1) {
    assert.equal(await react(fresh, id, { mark: call }), { raw: { met: [], own: 1 } });
  }
  const many = await Promise.all([1, 2, 3, 4].map((mark) => react<Marks>(fresh, id, { mark })));
  assert.ok(many.every(({ raw }) => raw.met.length === 0 && raw.own === 1));
});

test('given timers and calls that an invocation leaves, when it has returned, then they do not run', async ({
  service,
}) => {
  const code = `let late = 0;
    const { begin } = { begin: () => { setTimeout(() => { late += 1 }, 20); setInterval(() => { late += 1 }, 10);
      setImmediate(() => { late += 1 }); require('https').get('https://localhost/').on('error', () => { late += 1 }); } };
    module.exports = async (req) => {
      if (req.args.begin) begin();
      return { raw: late };
    };`;
  const { id } = await create(service, { code });
  await react(service, id, { begin: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(await react(service, id), { raw: 0 });
});

test('given an invocation that others follow, when its promises go on, then they cannot reach into theirs', async ({
  service,
}) => {
  const code = `let kept; const got = [];
    module.exports = async (req) => {
      if (req.args.keep) {
        kept = req;
        (async () => { for (let i = 0; i < 50; i++) { await null; console.log('late'); try { setTimeout(() => got.push('timer'), 1) } catch {} } })();
        return { raw: req.args.keep };
      }
      await new Promise((done) => setTimeout(done, 50));
      return { raw: [got, kept.args.keep, req.args.keep === undefined] };
    };`;
  const { id } = await create(service, { code });
  await react(service, id, { keep: 'first' });
  const { raw } = await react<{ raw: unknown }>(service, id, {});
  assert.equal(raw, [[], 'first', true]);
});

test('given calls all the while, when code is updated five hundred times, then no old code ever answers', async ({
  service,
}) => {
  const codeOf = (version: number): object => ({
    code: `const v = ${version}; module.exports = async () => { await null; return { raw: v } };`,
  });
  let calls = 0;
  const faults: string[] = [];
  const updateAll = async (): Promise<void> => {
    const { id } = await create(service, codeOf(0));
    let inForce = 0;
    const calling = async (): Promise<void> => {
      while (inForce < 100) {
        const before = inForce;
        const { raw } = await react<{ raw: number }>(service, id);
        calls += 1;
        if (raw < before) faults.push(`${raw} answered when ${before} was in force`);
      }
    };
    const caller = calling();
    for (let version = 1; version <= 100; version += 1) {
      await patch(service, id, codeOf(version));
      inForce = version;
      if (version % 10 === 0) assert.equal(await react(service, id), { raw: version });
    }
    await caller;
  };
  await Promise.all([1, 2, 3, 4, 5].map(updateAll));
  assert.equal(faults, []);
  assert.ok(calls > 100, `${calls} calls`);
});

test.run();
