import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomId } from '#src/identifiers.ts';
import { list, logOf, react, rowsOf, textsOf } from '#test/reactors/support/logs.ts';
import { create, manage } from '#test/reactors/support/reactors.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const logs = suite<{ service: VaultService }>('logs of reactors');

logs.before(async (context) => {
  context.service = await startVaultService({ environment: { HOLDFAST_REACTOR_TIMEOUT: '1s' } });
});
logs.after(({ service }) => service.close());

logs(
  'given code that prints, when its logs are read, then the lines are there, newest first',
  async ({ service }) => {
    const code = `module.exports = (req) => {
    console.log('hello', req.args, { a: [1] });
    console.warn('careful');
    console.error('oh');
    console.debug('deep');
    return { raw: 1 };
  }`;
    const { id } = await create(service, { code });
    const first = await react(service, id, 'one');
    await react(service, id, 'two');
    await service.composition.logKeeper.flush();
    const { status, body } = await list(service, id);
    assert.is(status, 200);
    assert.equal(body.pagination, { total_items: 2, page_number: 1, page_size: 20, total_pages: 1 });
    const [newest, oldest] = body.data;
    assert.equal(oldest?.lines, [
      { level: 'info', text: 'hello one { a: [ 1 ] }' },
      { level: 'warn', text: 'careful' },
      { level: 'error', text: 'oh' },
      { level: 'debug', text: 'deep' },
    ]);
    assert.is(newest?.lines[0]?.text, 'hello two { a: [ 1 ] }');
    assert.equal([oldest?.outcome, oldest?.status], ['returned', 200]);
    assert.is(oldest?.trace_id, first.headers.get('bt-trace-id'));
    assert.ok(Math.abs(Date.parse(oldest?.started_at ?? '') - Date.now()) < 60_000);
    assert.ok(Number.isInteger(oldest?.milliseconds));
    const second = (await list(service, id, '?size=1&page=2')).body;
    assert.equal(second.data, [oldest]);
    assert.equal((await list(service, id, '?size=101')).status, 400);
  },
);

logs('given secrets of all kinds, when code prints them, then none is in its logs', async ({ service }) => {
  const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2035, cvc: '987' };
  const token = await service.call<{ id: string }>('POST', '/tokens', { type: 'card', data: card });
  const secrets = ['4242424242424242', '987', 'sk_live_hush', '5555555555554444', 'c2tfbGl2ZV9odXNo'];
  const code = `module.exports = async (req) => {
    const { number, cvc } = req.args.card;
    const { key } = req.configuration;
    console.log('card', number, 'cvc', cvc, 'key', key);
    console.log(req);
    console.log(JSON.stringify(req));
    console.log('Basic ' + Buffer.from('user:' + key).toString('base64'), Buffer.from(key).toString('base64'));
    console.log('somebody else has 5555 5555 5555 4444 and 5555555555554444');
    console.log('fine');
    throw new Error('no money for ' + number + ' with ' + key);
  }`;
  const { id } = await create(service, { code, configuration: { key: 'sk_live_hush', region: 'eu' } });
  // The second time the program is loaded already, and with it the configuration.
  for (let times = 0; times < 2; times++) {
    assert.is((await react(service, id, { card: `{{ ${token.body.id} }}` })).status, 500);
    await service.composition.logKeeper.flush();
  }
  const { body } = await list(service, id);
  assert.is(body.data.length, 2);
  for (const log of body.data) {
    // Not of the whole: three digits are in random ids now and then.
    const text = JSON.stringify(log.lines);
    for (const secret of secrets) assert.not.ok(text.includes(secret), `${secret} in ${text}`);
    assert.is(log.lines[0]?.text, 'card [redacted] cvc [redacted] key [redacted]');
    assert.ok(text.includes('fine') && text.includes('region'));
    assert.equal([log.outcome, log.status], ['threw', 500]);
    assert.equal(log.lines.at(-1), {
      level: 'error',
      text: 'Error: no money for [redacted] with [redacted]',
    });
  }
});

logs('given code that fails, when its logs are read, then how is told, and no stack', async ({ service }) => {
  const thrown = await logOf(service, 'module.exports = () => { null.x }');
  assert.equal([thrown.outcome, thrown.status], ['threw', 500]);
  assert.match(textsOf(thrown).join(), /^TypeError: Cannot read properties of null/);
  assert.not.match(textsOf(thrown).join(), /\n| at /);
  const endless = await logOf(service, 'module.exports = () => { console.log("in"); for (;;); }');
  assert.equal([endless.outcome, endless.status, textsOf(endless)], ['timed_out', 500, ['in']]);
  const broken = await logOf(service, 'module.exports = (');
  assert.equal([broken.outcome, broken.status], ['does_not_compile', 422]);
  assert.is(textsOf(broken).length, 1);
  assert.is((await logOf(service, 'module.exports = 5')).outcome, 'not_a_function');
});

logs('given code that prints nothing and succeeds, then it leaves no log', async ({ service }) => {
  const { id } = await create(service, { code: 'module.exports = () => ({ raw: 1 })' });
  await react(service, id);
  await service.composition.logKeeper.flush();
  assert.equal((await list(service, id)).body.data, []);
});

logs('given megabytes of lines, when they are read, then they are bounded', async ({ service }) => {
  const long = await logOf(
    service,
    `module.exports = () => { for (let i = 0; i < 100; i++) console.log('x'.repeat(1e5)); }`,
  );
  assert.ok(textsOf(long).join('').length <= 64 * 1024 + 100);
  assert.is(long.lines.at(-1)?.text, 'Further output was dropped.');
  const many = await logOf(
    service,
    'module.exports = () => { for (let i = 0; i < 5e3; i++) console.log(i); }',
  );
  assert.is(many.lines.length, 200);
  assert.is(many.lines[3]?.text, '3');
});

logs(
  'given a secret where lines are cut, when they are read, then no part of it is there',
  async ({ service }) => {
    const code = `module.exports = (req) => { console.log('x'.repeat(65530) + req.configuration.key); }`;
    const log = await logOf(service, code, null, { key: 'abcdefghijkl' });
    assert.not.match(textsOf(log).join(), /a/);
  },
);

logs(
  'given many invocations, when their logs are read, then the last twenty are there',
  async ({ service }) => {
    const { id } = await create(service, { code: 'module.exports = (req) => { console.log(req.args); }' });
    for (let number = 1; number <= 30; number++) {
      await react(service, id, `no. ${number}`);
      if (number % 7 === 0) await service.composition.logKeeper.flush();
    }
    await service.composition.logKeeper.flush();
    const { body } = await list(service, id, '?size=100');
    assert.equal(
      body.data.map((log) => log.lines[0]?.text),
      Array.from({ length: 20 }, (_, index) => `no. ${30 - index}`),
    );
    assert.equal(await rowsOf(service, id), [20, 20]);
  },
);

logs(
  'given an update meanwhile, when a log is written, then what may hold the old secret is withheld',
  async ({ service }) => {
    const code = 'module.exports = (req) => { console.log("key", req.configuration.key); }';
    const { id } = await create(service, { code, configuration: { key: 'the-old-one' } });
    await react(service, id);
    await service.composition.logKeeper.flush();
    await react(service, id);
    assert.is(
      (await manage(service, 'PATCH', `/${id}`, { configuration: { key: 'the-new-one' } })).status,
      204,
    );
    await service.composition.logKeeper.flush();
    const { body } = await list(service, id);
    assert.is(body.data.length, 2);
    assert.not.match(JSON.stringify(body), /the-old-one/);
  },
);

logs(
  'given what is not a reactor or is another tenant’s, when logs are read, then 404; without log:read 403',
  async ({ service }) => {
    const { id } = await create(service, { code: 'module.exports = () => { console.log("hi"); }' });
    await react(service, id);
    const { management } = await service.anotherTenant();
    for (const [wanted, key] of [
      [id, management],
      [randomId(), undefined],
      ['nothing', undefined],
    ] as const) {
      assert.is((await list(service, wanted, '', key)).status, 404, wanted);
    }
    assert.is((await list(service, id, '', service.keys.private)).status, 403);
  },
);

logs('given logs that were read, then the audit log says so', async ({ service }) => {
  const { id } = await create(service);
  await list(service, id);
  const options = { key: service.keys.management };
  const entries = await service.call<{ data: Record<string, unknown>[] }>(
    'GET',
    `/logs?entity_type=reactor&entity_id=${id}&operation=read`,
    undefined,
    options,
  );
  assert.equal(
    entries.body.data.map(({ detail, outcome }) => [detail, outcome]),
    [
      ['logs', 'succeeded'],
      // Its creation showed its configuration.
      ['reveal', 'succeeded'],
    ],
  );
});

logs.run();
