import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, createApplication } from '#test/reactors/support/reactors.ts';
import { react, tokenOf } from '#test/sandbox/reactors/support.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const test = suite<{ service: VaultService }>('reactors that compute');

test.before(async (context) => {
  context.service = await startVaultService();
});
test.after(({ service }) => service.close());

const library = '@basis-theory/basis-theory-reactor-formulas-sdk-js';

const csv = `
const { parse } = require('csv-parse/sync');

const quote = (value) => (/[",\\n]/.test(value) ? '"' + String(value).replace(/"/g, '""') + '"' : String(value));
const toCsv = (rows) => [Object.keys(rows[0]).join(','), ...rows.map((row) => Object.values(row).map(quote).join(','))].join('\\n');

module.exports = async (req) => {
  const known = parse(req.args.csv, { columns: true, trim: true });
  const rows = known.map((row, index) => ({ ...row, number: req.args.numbers[index] }));
  return { raw: { file: Buffer.from(toCsv(rows)).toString('base64'), rows: rows.length } };
};`;

test('given a builder of CSV, when it is invoked with tokens, then the file holds what they stand for', async ({
  service,
}) => {
  const ids = await Promise.all(
    ['1', '2'].map((data) => tokenOf(service, { type: 'token', data: `00${data}` })),
  );
  const args = { csv: 'name,id\n"Doe, ""J""",a\nBo,b\n', numbers: ids.map((id) => `{{${id}}}`) };
  const { status, body } = await react(service, csv, { args });
  assert.is(status, 200, JSON.stringify(body));
  const { file, rows } = body.raw as { file: string; rows: number };
  assert.is(rows, 2);
  assert.is(Buffer.from(file, 'base64').toString(), 'name,id,number\n"Doe, ""J""",a,001\nBo,b,002');
});

const signature = `
const crypto = require('crypto');

module.exports = async function ({ args, configuration }) {
  const timestamp = args.timestamp;
  const payload = timestamp + '.' + JSON.stringify(args.body);
  const v1 = crypto.createHmac('sha256', configuration.SECRET).update(payload, 'utf8').digest('hex');
  const same = crypto.timingSafeEqual(Buffer.from(v1), Buffer.from(v1));
  return { raw: { header: \`t=\${timestamp},v1=\${v1}\`, same, nonce: crypto.randomBytes(8).toString('hex').length } };
};`;

test('given a signature by crypto, when it is made, then it is the one that Node makes', async ({
  service,
}) => {
  const body = { amount: 5, name: 'Ä' };
  const expected = createHmac('sha256', 's3cret')
    .update(`1700000000.${JSON.stringify(body)}`)
    .digest('hex');
  const reply = await react(service, signature, {
    configuration: { SECRET: 's3cret' },
    args: { timestamp: 1_700_000_000, body },
  });
  assert.equal(reply.body.raw, { header: `t=1700000000,v1=${expected}`, same: true, nonce: 16 });
});

const tokenizing = `
module.exports = async function (req) {
  const { pan, holder } = req.args;
  return {
    raw: { last4: pan.slice(-4) },
    tokenize: { pan: { type: 'card_number', data: pan }, holder: { type: 'token', data: { holder }, metadata: { source: 'reactor' } } },
  };
};`;

test('given values to tokenize, when they are returned beside raw, then tokens and raw come back', async ({
  service,
}) => {
  const { status, body } = await react(service, tokenizing, {
    args: { pan: '4242424242424242', holder: 'Jo' },
  });
  assert.equal([status, body.raw], [200, { last4: '4242' }]);
  const tokens = body.tokens as Record<string, { id: string; type: string; metadata?: unknown }>;
  assert.equal([tokens['pan']?.type, tokens['holder']?.metadata], ['card_number', { source: 'reactor' }]);
  const { body: shown } = await service.call<{ id: string }>('GET', `/tokens/${tokens['holder']?.id ?? ''}`);
  assert.is(shown.id, tokens['holder']?.id);
});

const validating = `
const yup = require('yup');
const { BadRequestError } = require('${library}');

const schema = yup.object().shape({
  email: yup.string().email('email must be valid').required(),
  amount: yup.number().positive().integer().required(),
});

module.exports = async function (req) {
  try {
    const valid = await schema.validate(req.args, { abortEarly: false });
    return { raw: valid };
  } catch (error) {
    const errors = {};
    for (const { path, errors: messages } of error.inner) errors[path] = messages;
    throw new BadRequestError(errors);
  }
};`;

test('given a validation by yup, when args are wrong, then each fault is told by its path', async ({
  service,
}) => {
  const good = await react(service, validating, { args: { email: 'a@b.co', amount: '5' } });
  assert.equal(good.body.raw, { email: 'a@b.co', amount: 5 });
  const { status, body } = await react(service, validating, { args: { email: 'no', amount: -1 } });
  assert.equal(
    [status, body.errors],
    [400, { email: ['email must be valid'], amount: ['amount must be a positive number'] }],
  );
});

const statuses: Record<string, number> = {
  AuthenticationError: 401,
  AuthorizationError: 403,
  BadRequestError: 400,
  InvalidPaymentMethodError: 402,
  InvalidReactorConfigurationError: 400,
  RateLimitError: 429,
  ReactorRuntimeError: 500,
  ServiceUnavailableError: 503,
};

test('given each class of errors, when code throws it, then the answer has its status and message', async ({
  service,
}) => {
  const code = `const errors = require('${library}');
    module.exports = async (req) => { throw new errors[req.args]('because of ' + req.args) };`;
  const { id } = await create(service, { code });
  for (const [name, status] of Object.entries(statuses)) {
    const reply = await service.call<{ errors?: unknown }>('POST', `/reactors/${id}/react`, { args: name });
    assert.equal([reply.status, reply.body.errors], [status, { error: [`because of ${name}`] }], name);
    assert.match(reply.headers.get('content-type') ?? '', 'application/problem+json');
  }
});

const customResponse = `
const { CustomHttpResponseError } = require('${library}');
module.exports = async function (req) {
  throw new CustomHttpResponseError({
    status: 418,
    headers: { 'Custom-Header': 'value', 'Set-Cookie': ['a=1', 'b=2'] },
    body: { teapot: req.args.short },
  });
};`;

test('given a response made by hand, when code throws it, then it is the answer', async ({ service }) => {
  const { status, headers, body } = await react(service, customResponse, { args: { short: true } });
  assert.equal([status, body], [418, { teapot: true }]);
  assert.equal([headers.get('custom-header'), headers.getSetCookie()], ['value', ['a=1', 'b=2']]);
});

const snake = `
const snakecaseKeys = require('snakecase-keys');
const stringify = require('json-stable-stringify');
const { v5: uuid } = require('uuid');
module.exports = (req) => {
  const raw = snakecaseKeys(req.args, { deep: true });
  return { raw: { ...raw, id: uuid(stringify(raw), uuid.DNS) } };
};`;

test('given keys to rename, when nested objects are given, then each is renamed', async ({ service }) => {
  const { body } = await react(service, snake, {
    args: { cardHolder: { firstName: 'Jo' }, listOf: [{ aB: 1 }] },
  });
  const { id, ...rest } = body.raw as { id: string };
  assert.equal(rest, { card_holder: { first_name: 'Jo' }, list_of: [{ a_b: 1 }] });
  assert.match(id, /^[0-9a-f-]{36}$/);
});

const calling = `
module.exports = async function (req) {
  const { bt } = req;
  const token = await bt.tokens.create({ type: 'token', data: { fullName: req.args.name }, metadata: { from: 'reactor' } });
  const found = await bt.tokens.retrieve(token.id);
  let missing;
  try {
    await bt.tokens.retrieve('00000000-0000-4000-8000-000000000000');
  } catch (error) {
    missing = error.status;
  }
  return { raw: { id: token.id, tenant: typeof found.tenantId, metadata: found.metadata, missing } };
};`;

test('given an application, when code creates and reads tokens by req.bt, then it acts with its rights', async ({
  service,
}) => {
  const application = await createApplication(service, 'private', ['token:create', 'token:read']);
  const { status, body } = await react(service, calling, {
    args: { name: 'Jo' },
    application: { id: application.id },
  });
  assert.is(status, 200, JSON.stringify(body));
  const { id, ...rest } = body.raw as { id: string };
  assert.equal(rest, { tenant: 'string', metadata: { from: 'reactor' }, missing: 404 });
  assert.is((await service.call('GET', `/tokens/${id}`)).status, 200);
  const powerless = await createApplication(service, 'private', ['token:read']);
  const refused = await react(service, calling, { args: { name: 'Jo' }, application: { id: powerless.id } });
  assert.equal(
    [refused.status, refused.body.errors],
    [500, { error: ['Request failed with status code 403'] }],
  );
});

test.run();
