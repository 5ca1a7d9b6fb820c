import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const sockets = suite<{ service: VaultService }>('clients that send slowly');

sockets.before(async (context) => {
  context.service = await startVaultService();
});
sockets.after(({ service }) => service.close());

const count = 2_000;

/** Begins a request and leaves it there: in its headers, or in its body. */
async function slow(url: string, part: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(part);
  return socket;
}

sockets(
  'given two thousand requests that do not end, when others come, then they are answered',
  async ({ service }) => {
    const parts = [
      'GET /tokens HTTP/1.1\r\nHost: a\r\nX-Slow: ',
      `POST /tokens HTTP/1.1\r\nHost: a\r\nBT-API-KEY: ${service.keys.private}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    ];
    const open: Socket[] = [];
    try {
      for (let n = 0; n < count; n += 100) {
        const more = Array.from({ length: 100 }, (_, index) => slow(service.url, parts[index % 2] ?? ''));
        open.push(...(await Promise.all(more)));
      }
      for (let n = 0; n < 20; n++) {
        const made = await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: n });
        assert.is(made.status, 201);
        assert.is((await service.call('GET', `/tokens/${made.body.id}`)).status, 200);
      }
      assert.is(open.filter((socket) => socket.destroyed).length, 0, 'they were not slow, but gone');
    } finally {
      for (const socket of open) socket.destroy();
    }
  },
);

sockets.run();
