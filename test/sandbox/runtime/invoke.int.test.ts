import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { outcomeOf, startRuntime, valueOf } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: loading and invoking');

test('given a function, when it is invoked, then it gets arguments, configuration and no client', async () => {
  const code = 'module.exports = (req) => ({ raw: req, ignored: 1 });';
  const outcome = await outcomeOf(code, { a: [1] }, { configuration: { KEY: 'v' } });
  assert.equal(outcome, {
    kind: 'returned',
    result: { raw: { args: { a: [1] }, configuration: { KEY: 'v' }, bt: null } },
  });
});

test('given code of each kind, when it is loaded, then what it is is said', async () => {
  const loaded = async (code: string): Promise<string> => {
    const runtime = startRuntime();
    const text = await runtime.load(code);
    runtime.close();
    return text;
  };
  assert.is(await loaded('exports.__esModule = true; exports.default = async () => null;'), 'ready');
  assert.is(await loaded('exports.default = () => null;'), 'not_a_function');
  assert.is(await loaded('module.exports = 5;'), 'not_a_function');
  assert.match(await loaded('module.exports = ('), /^does_not_compile\n./);
  assert.match(await loaded('}); (function () {'), /^does_not_compile\n./);
  assert.is(await loaded('throw new TypeError("no")'), 't{"name":"TypeError","message":"no"}');
});

test('given what code may return, when it returns it, then raw and tokenize are taken from objects', async () => {
  const returned = async (value: string): Promise<unknown> => outcomeOf(`module.exports = () => (${value});`);
  for (const nothing of [
    'undefined',
    'null',
    '5',
    '"text"',
    '{}',
    '{ raw: undefined }',
    '{ raw: () => 1 }',
  ]) {
    assert.equal(await returned(nothing), { kind: 'returned', result: {} }, nothing);
  }
  assert.equal(await returned('{ raw: "text", tokenize: { a: 1 } }'), {
    kind: 'returned',
    result: { raw: 'text', tokenize: { a: 1 } },
  });
  assert.equal(await returned('{ then: (done) => done({ raw: 1 }) }'), {
    kind: 'returned',
    result: { raw: 1 },
  });
});

test('given code whose result is a message, when it returns one, then headers, body and raw are taken', async () => {
  const code = "module.exports = () => ({ headers: { a: 'b' }, body: [1], raw: 2, tokenize: 3 });";
  assert.equal(await outcomeOf(code, null, { returns: 'message' }), {
    kind: 'returned',
    result: { headers: { a: 'b' }, body: [1], raw: 2 },
  });
});

test('given a result that is too large or too deep, when it is returned, then it is not let out', async () => {
  const nested = (levels: number): string =>
    `module.exports = () => { let raw = 1; for (let i = 0; i < ${levels}; i++) raw = [raw]; return { raw }; };`;
  assert.is((await outcomeOf(nested(63))).kind, 'returned');
  assert.is((await outcomeOf(nested(64))).kind, 'too_large');
  assert.is((await outcomeOf(nested(100_000))).kind, 'too_large');
  assert.is(
    (await outcomeOf('module.exports = () => ({ raw: "[".repeat(100) + "\\\\\\"[" })')).kind,
    'returned',
  );
  assert.is((await outcomeOf('module.exports = () => ({ raw: "x".repeat(1e6) })')).kind, 'too_large');
});

test('given anything thrown, when it is thrown, then its name and message are told and never its stack', async () => {
  const thrown = async (statement: string): Promise<unknown> => {
    const outcome = await outcomeOf(`module.exports = async () => { ${statement} };`);
    return outcome.kind === 'threw' ? outcome.thrown : outcome;
  };
  assert.equal(await thrown('throw new RangeError("far")'), { name: 'RangeError', message: 'far' });
  assert.equal(await thrown('throw "text"'), { name: 'Error', message: 'text' });
  assert.equal(await thrown('throw null'), { name: 'Error', message: 'null' });
  assert.equal(await thrown('throw undefined'), { name: 'Error', message: 'undefined' });
  assert.equal(await thrown('throw Symbol("s")'), { name: 'Error', message: 'Symbol(s)' });
  assert.equal(await thrown('throw 5n'), { name: 'Error', message: '5' });
  assert.equal(await thrown('throw Object.create(null)'), { name: 'Error', message: '' });
  assert.equal(await thrown('return Promise.reject(new Error("later"))'), {
    name: 'Error',
    message: 'later',
  });
  assert.equal(await thrown('throw { get message() { throw 1 }, get name() { throw 2 } }'), {
    name: 'Error',
    message: '',
  });
  assert.equal(await thrown('throw new Proxy({}, { get() { throw 1 } })'), { name: 'Error', message: '' });
  assert.equal(await thrown('const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy'), {
    name: 'Error',
    message: '',
  });
  assert.equal(await thrown('const e = new Error("c"); e.errors = e; e.status = 400; e.body = 5n; throw e'), {
    name: 'Error',
    message: 'c',
    status: 400,
  });
  assert.equal(
    await thrown('const raw = {}; raw.raw = raw; return { raw }').then((t) => (t as Error).name),
    'TypeError',
  );
});

test('given a member that counts its readings, when it is thrown, then it was read once', async () => {
  const runtime = startRuntime();
  await runtime.load(`let n = 0; module.exports = () => {
    throw { get message() { n += 1; return 'm' + n }, get name() { return 'N' }, get status() { n += 10; return n } };
  };`);
  assert.equal(await runtime.invoke(), { kind: 'threw', thrown: { name: 'N', message: 'm1', status: 11 } });
  runtime.close();
});

test('given an error that is very large, when it is thrown, then it is cut', async () => {
  const code = `module.exports = () => {
    const e = new Error('\\u0001'.repeat(1e6)); e.name = 'n'.repeat(1e6); e.errors = ['x'.repeat(1e6)]; e.status = 402;
    throw e;
  };`;
  const outcome = await outcomeOf(code);
  assert.is(outcome.kind, 'threw');
  assert.ok(JSON.stringify(outcome).length < 100_200);
  assert.is('thrown' in outcome && outcome.thrown.status, 402);
});

test('given timers, when the function has returned, then they never run and nothing is logged', async () => {
  const runtime = startRuntime();
  await runtime.load(`module.exports = async (req) => {
    if (req.args.second) { await new Promise((r) => setTimeout(r, 30)); return { raw: globalThis.ran }; }
    setTimeout(() => { globalThis.ran = true; console.log('late') }, 1);
    setInterval(() => { globalThis.ran = true }, 1);
    Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => console.log('later'));
    return {};
  };`);
  await runtime.invoke();
  assert.equal(
    runtime.sent.map(([, kind]) => kind),
    ['timer', 'timer', 'cancel', 'cancel'],
  );
  assert.equal(await runtime.invoke({ second: true }), { kind: 'returned', result: {} });
  assert.equal(
    runtime.logs.filter(([, text]) => text === 'late'),
    [],
  );
  runtime.close();
});

test('given more timers than may be pending, when one more is set, then it throws', async () => {
  const body =
    'let n = 0; try { for (;;) { setTimeout(() => 0, 1e6); n++ } } catch (e) { return [n, e.code] }';
  assert.equal(await valueOf(body), [100, 'ERR_TOO_MANY_PENDING']);
  const cleared = 'for (let i = 0; i < 1000; i++) clearTimeout(setTimeout(() => 0, 1e6)); return "fine"';
  assert.is(await valueOf(cleared), 'fine');
});

test('given timers of every kind, when they are waited for, then they run as in Node', async () => {
  const body = `
    const order = [];
    setImmediate((x) => order.push(x), 'immediate');
    queueMicrotask(() => order.push('microtask'));
    process.nextTick((x) => order.push(x), 'tick');
    let n = 0;
    await new Promise((done) => { const t = setInterval(() => { if (++n === 3) { clearInterval(t); done() } }, 2) });
    const cancelled = setTimeout(() => order.push('never'), 1); clearTimeout(cancelled); clearTimeout(undefined);
    clearTimeout(+setTimeout(() => order.push('never'), 1));
    await new Promise((done) => setTimeout(done, 10).unref());
    return [order, n];`;
  assert.equal(await valueOf(body), [['microtask', 'tick', 'immediate'], 3]);
});

test('given a promise that never settles, when it is awaited, then the invocation goes on', async () => {
  const runtime = startRuntime();
  await runtime.load('module.exports = () => new Promise(() => {});');
  const winner = await Promise.race([
    runtime.invoke().catch(() => 'disposed'),
    new Promise((resolve) => setTimeout(resolve, 50, 'pending')),
  ]);
  assert.is(winner, 'pending');
  runtime.close();
});

test('given errors nobody catches, when they happen, then a timer ends the invocation and a rejection nothing', async () => {
  assert.equal(
    await outcomeOf(
      'module.exports = () => new Promise(() => setTimeout(() => { throw new Error("t") }, 1));',
    ),
    {
      kind: 'threw',
      thrown: { name: 'Error', message: 't' },
    },
  );
  const body = `Promise.reject(new Error('lost')); await new Promise((done) => setTimeout(done, 5)); return 1;`;
  assert.is(await valueOf(body), 1);
  const runtime = startRuntime();
  assert.is(
    await runtime.load('Promise.reject(new Error("lost")); module.exports = () => ({ raw: 2 });'),
    'ready',
  );
  assert.equal(await runtime.invoke(), { kind: 'returned', result: { raw: 2 } });
  runtime.close();
});

test('given output, when it is written, then it is formatted and bounded', async () => {
  const runtime = startRuntime({ limits: { logLines: 5, logLength: 1000 } });
  await runtime.load(`console.debug('loading'); module.exports = (req) => {
    console.log('%s is %d', 'a', 1, { b: [1, new Map([['k', 'v']])] });
    console.warn(new Error('careful').message); console.error({ get x() { throw 1 } });
    console.info(new Proxy({}, { ownKeys() { throw 1 }, get() { throw 1 } }));
    console.log('dropped'); console.log('dropped');
  };`);
  await runtime.invoke();
  assert.equal(runtime.logs, [
    ['debug', 'loading'],
    ['info', "a is 1 { b: [ 1, Map(1) { 'k' => 'v' } ] }"],
    ['warn', 'careful'],
    ['error', '{ x: [Getter] }'],
    ['info', '[a value that cannot be shown]'],
    ['warn', 'Further output was dropped.'],
  ]);
  runtime.logs.length = 0;
  await runtime.invoke();
  assert.is(runtime.logs.length, 5 + 1);
  runtime.close();
});

test.run();
