import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import {
  createToken,
  createWebhook,
  deleteAll,
  deliveriesOf,
  startWebhookService,
} from '#test/webhooks/support/webhooks.ts';

const hostile = suite<{ service: VaultService }>('hostile receivers of webhooks');

hostile.before(async (context) => {
  context.service = await startWebhookService([60_000]);
});
hostile.after(({ service }) => service.close());
hostile.after.each(({ service }) => deleteAll(service));

const megabyte = Buffer.alloc(1024 * 1024, 'a');

/** Goes on for as long as anybody listens. */
function flood(response: ServerResponse, chunk: Buffer): void {
  let sent = 0;
  const more = (): void => {
    while (!response.destroyed && sent++ < 100) {
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

const receivers: readonly [string, (response: ServerResponse) => void, string][] = [
  [
    'that accepts and answers 100 MB',
    (response) => {
      response.writeHead(200);
      flood(response, megabyte);
    },
    '200',
  ],
  [
    'that accepts and answers a gzip bomb',
    (response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
    },
    '200',
  ],
  [
    'that accepts and then drips',
    (response) => {
      response.writeHead(200);
      const drip = setInterval(() => {
        response.write('.');
      }, 50);
      response.on('close', () => {
        clearInterval(drip);
      });
    },
    '200',
  ],
  [
    'that refuses and floods',
    (response) => {
      response.writeHead(500);
      flood(response, megabyte);
    },
    '500',
  ],
  [
    'that redirects to an address inside',
    (response) => {
      response.writeHead(307, { Location: 'http://169.254.169.254/latest/meta-data' }).end();
    },
    '307',
  ],
  [
    'that resets the connection',
    (response) => {
      response.socket?.resetAndDestroy();
    },
    'unreachable_connection',
  ],
  [
    'that does not speak HTTP',
    (response) => {
      response.socket?.end('nonsense\r\n\r\n');
    },
    'unreachable_answer',
  ],
  [
    'whose headers do not end',
    (response) => {
      response.writeHead(200, { 'X-Long': 'a'.repeat(60_000) }).end();
    },
    'too_large',
  ],
];

for (const [name, answer, outcome] of receivers) {
  hostile(
    `given a receiver ${name}, when it is sent to, then that ends soon and is recorded`,
    async ({ service }) => {
      const receiver = await startReceiver();
      receiver.answer = answer;
      const { id } = await createWebhook(service, receiver.url);
      await createToken(service);
      const [delivery] = await until(async () => {
        const listed = await deliveriesOf(service, id);
        return listed[0]?.attempts === 1 && listed;
      });
      assert.is(delivery?.outcome, outcome);
      assert.ok(delivery !== undefined);
      assert.is(delivery.status, outcome === '200' ? 'delivered' : 'pending');
      assert.ok(Number(delivery.duration_ms) < 5_000, String(delivery.duration_ms));
      await receiver.close();
    },
  );
}

hostile.run();
