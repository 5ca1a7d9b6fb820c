import buffer from 'node:buffer';
import crypto from 'node:crypto';
import https from 'node:https';
import querystring from 'node:querystring';
import url from 'node:url';
import util from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { valueOf } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: plain functions called with new');

test('given old code that says new before Buffer.from and its like, then buffers come back', async () => {
  const body = `
    return [new Buffer.from('a').toString('hex'), new Buffer.from('_w', 'base64url').toString('hex'), new Buffer.alloc(2).length,
      new Buffer.concat([new Buffer.from([1]), new Buffer('b')]).toString('hex'), new Buffer.allocUnsafe(3).length,
      Buffer.isBuffer(new Buffer.from('a'))]`;
  assert.equal(await valueOf(body), ['61', 'ff', 2, '0162', 3, true]);
});

test('given other functions of Node that old code calls with new, then they work', async () => {
  const body = `
    const https = new require('https');
    const crypto = new require('crypto');
    class Own extends https.Agent {}
    return [new crypto.createHash('sha256').update('a').digest('hex').slice(0, 4), typeof new crypto.randomBytes(4).length,
      https.Agent({ keepAlive: true }).keepAlive, https.Agent() instanceof https.Agent, new Own() instanceof Own,
      new https.Agent() instanceof https.Agent, https.Agent.name, new https.Agent().constructor === https.Agent]`;
  assert.equal(await valueOf(body), ['ca97', 'number', true, true, true, true, 'Agent', true]);
});

/** Names of members that may be called with `new`. */
const plainOf = (members: object): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(members)).flatMap(([name, { value }]) =>
    typeof value === 'function' && Object.hasOwn(value, 'prototype') ? [name] : [],
  );

for (const [name, members] of Object.entries({ crypto, https, querystring, url, util })) {
  test(`given ${name}, when a function of it may be called with new in Node, then it may here`, async () => {
    const body = `
      const members = require('${name}');
      return req.args.filter((name) => typeof members[name] === 'function' && !Object.hasOwn(members[name], 'prototype'))`;
    assert.equal(await valueOf(body, plainOf(members)), []);
  });
}

test('given Buffer, when a function of it may be called with new in Node, then it may here', async () => {
  const body = `return req.args.filter((name) => typeof Buffer[name] === 'function' && !Object.hasOwn(Buffer[name], 'prototype'))`;
  assert.equal(await valueOf(body, plainOf(buffer.Buffer)), []);
});

test.run();
