import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorPackage } from '#src/tenantCode/modules.ts';
import { outcomeOf, valueOf } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: errors of reactors');
const fallback = 'The reactor gave no details.';

const thrown = async (expression: string): Promise<unknown> => {
  const code = `const E = require('${errorPackage}'); module.exports = async () => { throw ${expression} };`;
  const outcome = await outcomeOf(code);
  return outcome.kind === 'threw' ? outcome.thrown : outcome;
};

test('given each class, when it is thrown, then it carries its status and its detail', async () => {
  const classes: [string, number, string][] = [
    ['AuthenticationError', 401, 'Authentication Failed'],
    ['AuthorizationError', 403, 'Forbidden'],
    ['BadRequestError', 400, 'Bad Request'],
    ['InvalidPaymentMethodError', 402, 'Invalid Payment Method'],
    ['InvalidReactorConfigurationError', 400, 'Invalid Reactor Configuration'],
    ['RateLimitError', 429, 'Rate Limit Exceeded'],
    ['ReactorRuntimeError', 500, 'Reactor Runtime Error'],
    ['ServiceUnavailableError', 503, 'Service Unavailable'],
  ];
  for (const [name, status, message] of classes) {
    assert.equal(await thrown(`new E.${name}('why')`), { name, message, status, errors: { error: ['why'] } });
  }
  assert.equal(
    await thrown(`new E.BasisTheoryReactorError({ message: 'm', status: 418, errors: { a: ['b'] } })`),
    {
      name: 'BasisTheoryReactorError',
      message: 'm',
      status: 418,
      errors: { a: ['b'] },
    },
  );
  assert.is(await valueOf(`return require('${errorPackage}').InvalidReactorFormulaError`), undefined);
});

test('given details of each kind, when an error is made of them, then they become lists of texts', async () => {
  const cases: [string, unknown][] = [
    [`'text'`, { error: ['text'] }],
    [`['a', 1, { b: 2 }, null]`, { error: ['a', '1', '{"b":2}', fallback] }],
    [`new Error('message')`, { error: ['message'] }],
    [`new TypeError()`, { error: ['TypeError'] }],
    [`new Error()`, { error: [fallback] }],
    [
      `{ a: ['x', { y: 1 }], b: { c: 1 }, d: 5, e: null, f: '' }`,
      { a: ['x', '{"y":1}'], b: ['{"c":1}'], d: ['5'], e: [fallback], f: [fallback] },
    ],
    ['5', { error: ['5'] }],
    ['true', { error: ['true'] }],
    ['0', { error: [fallback] }],
    ['undefined', { error: [fallback] }],
    [`{ get a() { throw 1 } }`, { error: [fallback] }],
    [`(() => { const o = { x: 1 }; o.self = o; return { o } })()`, { o: ['{"x":1,"self":"[Circular]"}'] }],
  ];
  for (const [expression, errors] of cases) {
    const result = (await thrown(`new E.BadRequestError(${expression})`)) as { errors: unknown };
    assert.equal(result.errors, errors, expression);
  }
});

test('given a problem document, when an error is asked for one, then it has detail, status and errors', async () => {
  const body = `
    const { AuthorizationError, BasisTheoryReactorError } = require('${errorPackage}'); const e = new AuthorizationError('no');
    return [e.toRFC7807(), e instanceof BasisTheoryReactorError, e instanceof Error]`;
  assert.equal(await valueOf(body), [
    { detail: 'Forbidden', status: 403, errors: { error: ['no'] } },
    true,
    true,
  ]);
});

test('given a response of its own, when a reactor throws it, then status, headers and body are told', async () => {
  assert.equal(
    await thrown(`new E.CustomHttpResponseError({ status: 302, headers: { location: 'x' }, body: [1] })`),
    {
      name: 'CustomHttpResponseError',
      message: 'Custom HTTP response',
      status: 302,
      headers: { location: 'x' },
      body: [1],
    },
  );
  assert.equal(await thrown(`new E.CustomHttpResponseError({ status: 204 })`), {
    name: 'CustomHttpResponseError',
    message: 'Custom HTTP response',
    status: 204,
    headers: {},
    body: {},
  });
  for (const status of ['"200"', '99', '600', '200.5', 'NaN', 'undefined']) {
    assert.equal(await thrown(`new E.CustomHttpResponseError({ status: ${status} })`), {
      name: 'Error',
      message: 'status is not an integer from 100 to 599',
    });
  }
});

test.run();
