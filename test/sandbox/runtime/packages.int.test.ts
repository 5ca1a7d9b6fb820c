import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { valueOf } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: packages');

test('given uuid, when ids are made, then they are of their versions', async () => {
  const body = `
    const { v1, v4, v5, validate, version } = require('uuid');
    return [v5('holdfast', v5.URL), version(v4()), validate(v4()), v4() === v4(), version(v1())]`;
  assert.equal(await valueOf(body), ['7d40dfdd-027e-5490-9017-1ef6274b8938', 4, true, false, 1]);
});

test('given crypto-js, when text is digested and encrypted, then Node agrees and it comes back', async () => {
  const body = `
    const C = require('crypto-js');
    const encrypted = C.AES.encrypt('secret', 'passphrase').toString();
    return [C.HmacSHA256('text', 'key').toString(C.enc.Hex), C.AES.decrypt(encrypted, 'passphrase').toString(C.enc.Utf8),
      require('crypto-js/hmac-sha256')('text', 'key').toString(require('crypto-js/enc-base64'))]`;
  const digest = createHmac('sha256', 'key').update('text').digest();
  assert.equal(await valueOf(body), [digest.toString('hex'), 'secret', digest.toString('base64')]);
});

test('given jsonpath, when a document is queried, then paths and filters select', async () => {
  const body = `
    const jp = require('jsonpath');
    const shop = { books: [{ title: 'a', price: 5 }, { title: 'b', price: 15 }] };
    return [jp.query(shop, '$..title'), jp.query(shop, '$.books[?(@.price > 10)].title'), jp.value(shop, '$.books[0].price'), jp.paths(shop, '$.books[1].price')]`;
  assert.equal(await valueOf(body), [['a', 'b'], ['b'], 5, [['$', 'books', 1, 'price']]]);
});

test('given yup, when values are validated, then they are cast or refused', async () => {
  const body = `
    const yup = require('yup');
    const schema = yup.object({ email: yup.string().email().required(), age: yup.number().min(18) });
    const good = await schema.validate({ email: 'a@b.co', age: '20' });
    const bad = await schema.validate({ age: 3 }, { abortEarly: false }).catch((e) => [e.name, e.errors.sort()]);
    return [good, bad]`;
  assert.equal(await valueOf(body), [
    { email: 'a@b.co', age: 20 },
    ['ValidationError', ['age must be greater than or equal to 18', 'email is a required field']],
  ]);
});

test('given csv-parse, when tables are read, then at once and as a stream', async () => {
  const body = `
    const text = 'name,number\\n"Doe, J",4242\\n';
    const sync = require('csv-parse/sync').parse(text, { columns: true });
    const { parse } = require('csv-parse');
    const rows = await new Promise((done, fail) => parse(text, {}, (e, r) => e ? fail(e) : done(r)));
    const streamed = []; for await (const row of require('stream').Readable.from([text]).pipe(parse())) streamed.push(row);
    return [sync, rows.length, streamed[1]]`;
  assert.equal(await valueOf(body), [[{ name: 'Doe, J', number: '4242' }], 2, ['Doe, J', '4242']]);
});

test('given fast-xml-parser, when XML is read and built, then it is the same', async () => {
  const body = `
    const { XMLParser, XMLBuilder, XMLValidator } = require('fast-xml-parser');
    const parsed = new XMLParser({ ignoreAttributes: false }).parse('<order id="1"><item>a</item><item>b</item></order>');
    return [parsed, new XMLBuilder({ ignoreAttributes: false }).build(parsed), XMLValidator.validate('<a></b>') === true]`;
  assert.equal(await valueOf(body), [
    { order: { item: ['a', 'b'], '@_id': '1' } },
    '<order id="1"><item>a</item><item>b</item></order>',
    false,
  ]);
});

test('given snakecase-keys and json-stable-stringify, when objects are given, then keys are as wanted', async () => {
  const body = `
    const snake = require('snakecase-keys'); const stringify = require('json-stable-stringify');
    return [snake({ cardNumber: { expirationMonth: 1 }, list: [{ aB: 2 }] }), stringify({ b: 1, a: [{ d: 1, c: 2 }] })]`;
  assert.equal(await valueOf(body), [
    { card_number: { expiration_month: 1 }, list: [{ a_b: 2 }] },
    '{"a":[{"c":2,"d":1}],"b":1}',
  ]);
});

test.run();
