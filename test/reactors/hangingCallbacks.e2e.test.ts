import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fakeReactors, invoke, startReceiver } from '#test/reactors/support/invocations.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; hanging: Hanging };
type Hanging = { url: string; sockets: Set<Socket>; close(): Promise<void> };

const hanging = suite<Context>('callbacks that hang');

hanging.before(async (context) => {
  context.hanging = await startHanging();
  context.service = await startVaultService({
    environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' },
    reactors: fakeReactors(),
    invocations: { grace: 100 },
  });
});
hanging.after(async ({ service, hanging }) => {
  await hanging.close();
  await service.close();
});

/** Takes connections, and never answers. */
async function startHanging(): Promise<Hanging> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    sockets,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** The same service with a tenant of its own for each invocation. */
async function asAnotherTenant(service: VaultService): Promise<VaultService> {
  const keys = await service.anotherTenant();
  const own = await service.call<{ id: string }>('GET', '/tenants/self', undefined, { key: keys.management });
  return { ...service, keys, tenantId: own.body.id };
}

hanging(
  'given three tenants with more callbacks that hang than there are places, when another tenant has one, then it arrives while they hang',
  async ({ service, hanging }) => {
    const tenants = [service, await asAnotherTenant(service), await asAnotherTenant(service)];
    for (const tenant of tenants) {
      for (let n = 0; n < 12; n++) await invoke(tenant, hanging.url);
    }
    await until(() => hanging.sockets.size >= 20);
    const held = hanging.sockets.size;
    const receiver = await startReceiver();
    const id = await invoke(await asAnotherTenant(service), receiver.url);
    await until(() => receiver.received.length === 1);
    assert.is(receiver.received[0]?.headers['webhook-id'], id);
    assert.is([...hanging.sockets].filter(({ closed }) => !closed).length >= held, true);
    await receiver.close();
  },
);

hanging.run();
