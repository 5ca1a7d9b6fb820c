import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  create,
  errorOf,
  json,
  post,
  send,
  startProxying,
  stopProxying,
} from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';
import { until } from '#test/support/until.ts';

const streams = suite<Context>('streams through proxies');

streams.before(async (context) => {
  Object.assign(context, await startProxying({ environment: { HOLDFAST_PROXY_TIMEOUT: '2s' } }));
});
streams.after(stopProxying);
streams.before.each(({ destination }) => {
  destination.reset();
});

const megabyte = 1_048_576;
const chunk = Buffer.alloc(megabyte, 'x');

function* megabytes(count: number): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) yield chunk;
}

/** A request of its own, whose body the test writes. */
function open(
  { service, destination }: Context,
  method: string,
  headers: Record<string, string> = {},
): ClientRequest {
  return httpRequest(`${service.url}/proxy`, {
    method,
    headers: {
      'BT-API-KEY': service.keys.private,
      'BT-PROXY-URL': destination.url,
      'Content-Type': 'application/octet-stream',
      ...headers,
    },
  });
}

const answerTo = async (request: ClientRequest): Promise<IncomingMessage> =>
  ((await once(request, 'response')) as [IncomingMessage])[0];

/** How much more memory the process had meanwhile, at most, in bytes. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const used = (): number => process.memoryUsage().rss;
  const before = used();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, used());
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return most - before;
}

/** Sends so many megabytes, and takes as many, and expects that they are the same at both ends. */
async function passBoth(context: Context, count: number): Promise<void> {
  const digest = createHash('sha256');
  for (const part of megabytes(count)) digest.update(part);
  const expected = digest.digest('hex');
  const length = String(count * megabyte);
  context.destination.take = (request, response) => {
    const hash = createHash('sha256');
    request.on('data', (bytes: Buffer) => hash.update(bytes));
    request.on('end', () => {
      response.writeHead(200, {
        'X-Digest': hash.digest('hex'),
        'X-Length': request.headers['content-length'],
      });
      void pipeline(Readable.from(megabytes(count)), response);
    });
  };
  const request = open(context, 'POST', { 'Content-Length': length });
  await pipeline(Readable.from(megabytes(count)), request);
  const answer = await answerTo(request);
  assert.equal([answer.headers['x-digest'], answer.headers['x-length']], [expected, length]);
  const received = createHash('sha256');
  for await (const bytes of answer as AsyncIterable<Buffer>) received.update(bytes);
  assert.is(received.digest('hex'), expected);
}

streams('given 250 MB in and out, then they pass whole, and are never held whole', async (context) => {
  // What a process of three parties takes in any case, it has then.
  await passBoth(context, 30);
  const growth = await growthDuring(() => passBoth(context, 250));
  assert.ok(growth < 150 * megabyte, `${Math.round(growth / megabyte)} MB`);
});

streams('given more than may pass, then it is cut off in either direction', async (context) => {
  const { destination } = context;
  const request = open(context, 'POST', { 'Content-Length': String(300 * megabyte) });
  request.on('error', () => undefined);
  request.flushHeaders();
  assert.is((await answerTo(request)).statusCode, 413);
  request.destroy();
  destination.take = (_, response) => {
    void pipeline(Readable.from(megabytes(300)), response).catch(() => undefined);
  };
  const asking = open(context, 'GET').end();
  const answer = await answerTo(asking);
  let length = 0;
  const reading = (async () => {
    for await (const bytes of answer as AsyncIterable<Buffer>) length += bytes.length;
  })();
  const failure = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.instance(failure, Error);
  assert.ok(length <= 256 * megabyte, String(length));
});

streams('given a body of five megabytes, then it passes, and not one that is longer', async (context) => {
  const ofLength = (length: number) => `"${'x'.repeat(length - 2)}"`;
  for (const type of ['text/plain', 'application/json']) {
    const headers = { 'Content-Type': type };
    assert.is((await post(context, ofLength(5 * megabyte), headers)).status, 200, type);
    assert.is(context.destination.last().body.length, 5 * megabyte);
    assert.is((await post(context, ofLength(5 * megabyte + 1), headers)).status, 413, type);
  }
});

streams('given 256 megabytes, then they pass, and not a byte more', async (context) => {
  context.destination.take = (request, response) => {
    let length = 0;
    request.on('data', (bytes: Buffer) => (length += bytes.length));
    request.on('end', () => response.end(String(length)));
  };
  const whole = open(context, 'POST', { 'Content-Length': String(256 * megabyte) });
  await pipeline(Readable.from(megabytes(256)), whole);
  const answer = await answerTo(whole);
  assert.equal([answer.statusCode, await text(answer)], [200, String(256 * megabyte)]);
  const longer = open(context, 'POST', { 'Content-Length': String(256 * megabyte + 1) });
  longer.on('error', () => undefined).flushHeaders();
  assert.is((await answerTo(longer)).statusCode, 413);
  longer.destroy();
});

streams(
  'given a destination that does not answer, or not in time, or breaks off, then the answer says so, and its status',
  async (context) => {
    const { destination, service } = context;
    destination.take = () => undefined;
    const silent = await post(context, {});
    assert.equal(
      [silent.status, errorOf(silent).detail, silent.headers.get('bt-proxy-destination-status')],
      [408, 'The destination did not answer within 2 seconds.', null],
    );
    destination.take = (_, response) => {
      response.write('{');
    };
    const { key } = await create(context, {
      response_transform: { code: 'module.exports = () => ({ body: 1 })' },
    });
    const ask = () =>
      send(context, '/proxy', { key: service.keys.private, headers: { 'BT-PROXY-KEY': key } });
    const slow = await ask();
    assert.equal([slow.status, slow.headers.get('bt-proxy-destination-status')], [408, '200']);
    destination.take = (_, response) => {
      response.writeHead(201, { 'Content-Length': '10' }).write('half');
      setImmediate(() => response.destroy());
    };
    const broken = await ask();
    assert.equal([broken.status, broken.headers.get('bt-proxy-destination-status')], [502, '201']);
  },
);

streams('given a client that takes its time, then that is not the destination’s', async (context) => {
  const request = open(context, 'POST');
  request.write('one');
  const begun = performance.now();
  await until(() => performance.now() - begun > 2_300);
  request.end('two');
  const answer = await answerTo(request);
  assert.is(answer.statusCode, 200);
  answer.resume();
  assert.is(context.destination.last().body, 'onetwo');
});

streams('given an answer that goes on after its headers, then it may take longer', async (context) => {
  context.destination.take = (_, response) => {
    response.write('first,');
    const begun = performance.now();
    void until(() => performance.now() - begun > 2_300).then(() => response.end('last'));
  };
  assert.is((await post(context, {})).text, 'first,last');
});

streams('given a client that goes away, then the destination is not asked any longer', async (context) => {
  const { destination } = context;
  let isOpen = false;
  destination.take = (request, response) => {
    isOpen = true;
    request.resume();
    response.on('close', () => {
      isOpen = false;
    });
    response.write('x');
  };
  const asking = open(context, 'GET').end();
  const answer = await answerTo(asking);
  answer.on('error', () => undefined);
  assert.ok(isOpen);
  asking.destroy();
  await until(() => !isOpen);
});

streams(
  'given a destination that breaks off, then the client does not take it for the end',
  async (context) => {
    const { destination } = context;
    destination.take = (_, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('half');
      setImmediate(() => response.destroy());
    };
    const failure = await post(context, {}).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.instance(failure, Error);
    destination.take = (_, response) => {
      response.destroy();
    };
    const broken = await post(context, {}, json);
    assert.equal([broken.status, errorOf(broken).status], [502, 502]);
  },
);

streams.run();
