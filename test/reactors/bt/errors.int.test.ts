import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Realm } from '#test/reactors/bt/support/library.ts';
import type { Outcome, Settled } from '#test/reactors/bt/support/library.ts';

const errors = suite('bt: calls that fail');

let calls = 0;
let settled: Settled;
const realm = new Realm(() => {
  calls += 1;
  return Promise.resolve(settled);
});

const answered = (answer: object): void => {
  settled = { failed: false, payload: JSON.stringify(answer) };
};

const thrownBy = async (call: string): Promise<Extract<Outcome, { threw: unknown }>['threw']> => {
  const outcome = await realm.run(call);
  if (!('threw' in outcome)) throw new Error(`${call} did not throw`);
  return outcome.threw;
};

errors('given a refusal, then the error tells its status and the problem', async () => {
  const problem = { title: 'Forbidden', status: 403, detail: 'no', errors: { 'data.number': ['x'] } };
  answered({ status: 403, headers: {}, body: problem });
  assert.equal(await thrownBy(`bt.tokens.retrieve('1')`), {
    name: 'BasisTheoryApiError',
    message: 'Request failed with status code 403',
    status: 403,
    data: { ...problem, errors: { dataNumber: ['x'] } },
  });
  // Where answers are left as they are, problems are as well.
  assert.equal((await thrownBy(`bt.tokenize({})`)).data, problem);
});

errors('given no answer, then the status is -1 and the message says why', async () => {
  answered({ status: 0, headers: {}, body: 'too long' });
  const expected = { name: 'BasisTheoryApiError', message: 'too long', status: -1 };
  assert.equal(await thrownBy(`bt.tokens.list()`), expected);
  settled = { failed: true, payload: 'too long' };
  assert.equal(await thrownBy(`bt.tokens.list()`), expected);
});

errors('given what cannot be sent, then it is not sent', async () => {
  calls = 0;
  assert.is((await thrownBy(`bt.tokens.list({}, { apiKey: 'key' })`)).status, -1);
  assert.is((await thrownBy(`bt.proxy.get({ apiKey: 'key' })`)).status, -1);
  for (const id of ['', 'undefined', 'null', "''", '[]']) {
    assert.is((await thrownBy(`bt.tokens.delete(${id})`)).name, 'TypeError');
  }
  assert.is(
    (await thrownBy(`(() => { const a = {}; a.a = a; return bt.tokenize(a); })()`)).name,
    'TypeError',
  );
  assert.is(calls, 0);
});

errors('given an id with the characters of paths, then it stays an id', async () => {
  let path = '';
  const hostile = new Realm((_kind, payload) => {
    ({ path } = JSON.parse(payload) as { path: string });
    return Promise.resolve({ failed: false, payload: '{"status":204,"headers":{}}' });
  });
  await hostile.run(`bt.tokens.retrieve('../applications?a=b#c/\\ud800é')`);
  assert.is(path, '/tokens/..%2Fapplications%3Fa%3Db%23c%2F%EF%BF%BD%C3%A9');
  await hostile.run(`bt.proxy.get({ path: 'a%20b?x=1#y' })`);
  assert.is(path, '/proxy/a%20b');
});

errors('given a realm without Node, then the library needs nothing of it', async () => {
  answered({ status: 200, headers: {}, body: 'text' });
  assert.equal(await realm.run(`bt.tokens.create({ type: 'token', data: 1 })`), { returned: 'text' });
  assert.equal(await realm.run('typeof process + typeof require + typeof URL'), {
    returned: 'undefinedundefinedundefined',
  });
});

errors.run();
