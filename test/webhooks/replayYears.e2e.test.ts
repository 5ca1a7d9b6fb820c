import * as assert from 'uvu/assert';
import { webhookRequestStream } from '#domain/webhook/events.ts';
import { randomId } from '#src/identifiers.ts';
import { until } from '#test/support/until.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, manage } from '#test/webhooks/support/webhooks.ts';

const years = webhookSuite('stretches of replays');

const beyond = [
  ['to', { from: '2026-01-01', to: '9999-12-31T23:59:59-14:00' }],
  ['from', { from: '0000-01-01' }],
  ['from', { from: '0001-01-01T00:00:00+14:00' }],
  ['from', { from: '0000-01-01T00:00:00+14:00' }],
] as const;

for (const [name, stretch] of beyond) {
  const { from, to }: { from: string; to?: string } = stretch;
  years(
    `given a stretch from ${from} to ${to ?? 'now'}, when it is asked for, then it is refused for its year`,
    async ({ service, receiver }) => {
      const { id } = await createWebhook(service, receiver.url);
      const path = `/webhooks/${id}/replay`;
      const refused = await manage<{ errors: object }>(service, 'POST', path, stretch);
      assert.is(refused.status, 400);
      assert.equal(Object.keys(refused.body.errors), [name]);
    },
  );
}

years(
  'given requests of such stretches that are in the log already, when something happens, then they are done and webhooks go on',
  async ({ service, receiver }) => {
    const { tenantId, composition } = service;
    const before = await createToken(service);
    const { id } = await createWebhook(service, receiver.url);
    const stretches = [
      { from: '2026-01-01T00:00:00.000Z', to: '+010000-01-01T13:59:59.000Z' },
      { from: '0000-01-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
      { from: '-000001-12-31T10:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
    ];
    for (const stretch of stretches) {
      const replayId = randomId();
      const metadata = {
        tenant_id: tenantId,
        actor: { type: 'system', id: 'test' } as const,
        trace_id: randomId(),
        command_id: randomId(),
        schema_version: 1,
        occurred_at: new Date().toISOString(),
      };
      const data = { id, replay_id: replayId, ...stretch };
      const event = { id: randomId(), type: 'webhook.replay.requested', data, metadata };
      await composition.log.append(webhookRequestStream(tenantId, replayId), 'none', [event]);
    }
    const after = await createToken(service);
    const told = () => receiver.messages().map(({ data }) => data['token']?.['id']);
    await until(() => told().includes(before) && told().includes(after));
    await until(async () => {
      const { rows } = await composition.pools.owner.query('select from work.webhook_replays');
      return rows.length === 0;
    });
  },
);

years(
  'given a time without an offset, when it is asked for, then it is in UTC wherever the server stands',
  async ({ service, receiver }) => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Kiritimati';
    try {
      const { id } = await createWebhook(service, receiver.url);
      const stretch = { from: '2026-01-01T10:00:00', to: '2026-01-01T10:00:00.001Z' };
      const asked = await manage<{ id: string }>(service, 'POST', `/webhooks/${id}/replay`, stretch);
      assert.is(asked.status, 202);
      const stream = webhookRequestStream(service.tenantId, asked.body.id);
      const [requested] = await service.composition.log.readStream(stream);
      assert.is(requested?.data['from'], '2026-01-01T10:00:00.000Z');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  },
);

years.run();
