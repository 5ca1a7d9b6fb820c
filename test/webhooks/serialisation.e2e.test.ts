import { constants, createPublicKey, verify } from 'node:crypto';
import stringify from 'json-stable-stringify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stableJson } from '#src/outgoing/stableJson.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import { createWebhook, startWebhookService } from '#test/webhooks/support/webhooks.ts';

const serialisation = suite<{ service: VaultService }>('JSON of messages');

serialisation.before(async (context) => {
  context.service = await startWebhookService();
});
serialisation.after(({ service }) => service.close());

serialisation(
  'given names that are numbers, when a message was parsed and written again with sorted names, then the public key verifies it',
  async ({ service }) => {
    const receiver = await startReceiver();
    await createWebhook(service, receiver.url);
    const metadata = { 10: 'b', 9: 'a', b: 'c', B: 'd' };
    const made = await service.call('POST', '/tokens', { type: 'token', data: 'secret', metadata });
    assert.is(made.status, 201);
    await until(() => receiver.received.length === 1);
    const [received] = receiver.received;
    assert.ok(received !== undefined);
    assert.match(received.body, '"metadata":{"10":"b","9":"a","B":"d","b":"c"}');
    const again = stringify(JSON.parse(received.body)) ?? '';
    const served = await service.call<string>('GET', '/keys/webhooks.v1.key', undefined, { key: '' });
    const key = { key: createPublicKey(served.body), padding: constants.RSA_PKCS1_PSS_PADDING };
    const signature = Buffer.from(String(received.headers['bt-signature']), 'base64');
    assert.ok(verify('sha256', Buffer.from(again), key, signature));
    await receiver.close();
  },
);

serialisation('given values of all kinds, when they are written, then they are what they were', () => {
  const values = [null, 0, -1.5, 'ä\u2028"\\', true, [], {}, [{ b: [1, { 2: 3, 10: null }], a: '' }]];
  for (const value of [...values, values]) assert.equal(JSON.parse(stableJson(value)), value);
});

serialisation.run();
