import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

const slow = suite<{ directory: string; service: ServiceProcess }>('clients that are slow on purpose');

slow.before(async (context) => {
  context.directory = await newPreparedDirectory();
  context.service = await startService(context.directory, {
    HOLDFAST_RATE_LIMITS: 'on',
    HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
  });
});

slow.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

/** What is sent at once, and what follows byte by byte. */
type Manner = { first: string; drip: string };

/** @param client limits of requests are not what keeps them off: each has an address of its own */
function manners(key: string, client: string): Manner[] {
  const headers = `Host: x\r\nX-Forwarded-For: ${client}\r\nBT-API-KEY: ${key}\r\n`;
  const json = `${headers}Content-Type: application/json\r\n`;
  return [
    // Nothing at all.
    { first: '', drip: '' },
    // Headers without an end.
    { first: `GET /tokens HTTP/1.1\r\n${headers}X-A: `, drip: 'b' },
    // Bodies without an end.
    { first: `POST /tokens HTTP/1.1\r\n${json}Content-Length: 1000000\r\n\r\n{"data":"`, drip: 'c' },
    { first: `POST /tokens HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n \r\n' },
    // Answers that are never taken.
    { first: `GET /openapi.json HTTP/1.1\r\n${headers}\r\n`, drip: '' },
  ];
}

function open(port: number, { first }: Manner): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause();
      if (first !== '') socket.write(first);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

slow('given 2,000 slow sockets, then others are served as before', async ({ service }) => {
  const { private: key } = service.credentials;
  const sockets: { socket: Socket; drip: string }[] = [];
  for (let batch = 0; batch < 20; batch++) {
    const opened = Array.from({ length: 20 }, async (_, index) => {
      for (const manner of manners(key, `198.18.${batch}.${index}`)) {
        sockets.push({ socket: await open(service.port, manner), drip: manner.drip });
      }
    });
    await Promise.all(opened);
  }
  assert.is(sockets.length, 2_000);
  const dripping = setInterval(() => {
    for (const { socket, drip } of sockets) if (drip !== '' && socket.writable) socket.write(drip);
  }, 100);
  for (const { socket } of sockets) socket.on('error', () => undefined);
  try {
    for (let round = 0; round < 30; round++) {
      const made = await request<{ id: string }>(service, 'POST', '/tokens', {
        key,
        body: { type: 'token', data: round },
      });
      assert.is(made.status, 201);
      assert.is((await request(service, 'GET', `/tokens/${made.body.id}`, { key })).status, 200);
    }
    assert.ok(sockets.filter(({ socket }) => !socket.destroyed).length > 1_500);
  } finally {
    clearInterval(dripping);
    for (const { socket } of sockets) socket.destroy();
  }
});

slow.run();
