import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokenStream } from '#domain/token/events.ts';
import { standings } from '#infra/subscriptions/standing.ts';
import { EventTooNew } from '#ports/eventLog.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { status } from '#projections/engine/status.ts';
import { isInPlace, lastEventOf } from '#src/lastEvent.ts';
import { randomId } from '#src/identifiers.ts';
import { engineOf } from '#src/main/engine.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; id: string; eventId: string };

const newer = suite<Context>('events of a later version');

/** A token that a later version of the code has changed, in a shape that this one does not know. */
newer.before(async (context) => {
  const service = await startVaultService({ alone: true });
  const { body } = await service.call<{ id: string; tenant_id: string }>('POST', '/tokens', {
    type: 'token',
    data: 'plain',
  });
  const stream = tokenStream(body.tenant_id, body.id);
  const { writtenLog } = service.composition;
  const [created] = await writtenLog.readStream(stream);
  assert.ok(created);
  const eventId = randomId();
  const { type: tokenType, ...others } = created.data;
  const data = { ...others, kind: { name: tokenType ?? null } };
  const metadata = { ...created.metadata, command_id: randomId(), schema_version: 7 };
  await writtenLog.append(stream, created.revision, [{ id: eventId, type: 'token.updated', data, metadata }]);
  Object.assign(context, { service, id: body.id, eventId });
});
newer.after(({ service }) => service.close());

newer(
  'given its stream, when a command needs it, then 503 says why, and others go on',
  async ({ service: { call }, id }) => {
    for (const [method, content] of [['PATCH', { metadata: { a: 'b' } }], ['DELETE']] as const) {
      const { status: answered, body } = await call<{ detail: string }>(method, `/tokens/${id}`, content);
      assert.is(answered, 503, method);
      assert.match(body.detail, 'A later version of the service wrote this');
    }
    const { status: created, body } = await call<{ id: string }>('POST', '/tokens', {
      type: 'token',
      data: 'x',
    });
    assert.is(created, 201);
    assert.is((await call('GET', `/tokens/${body.id}`)).headers.get('Holdfast-Stale'), null);
  },
);

newer(
  'given a view, when the event reaches it, then its stream is parked there, with the reason',
  async ({ service: { composition }, eventId }) => {
    const engine = engineOf(composition);
    const parked = await until(async () => {
      const { views } = await status(engine);
      return views.find(({ view }) => view === 'tokens')?.parked.find((one) => one.id === eventId);
    });
    assert.match(
      parked.error ?? '',
      /EventTooNew: .*schema version 7, and this version of Holdfast knows up to 1/,
    );
  },
);

newer(
  'given what the view shows of it, then the answer says that it may be old, and so do lists',
  async ({ service: { call }, id }) => {
    for (const path of [`/tokens/${id}`, '/tokens']) {
      const { status: answered, headers } = await until(async () => {
        const reply = await call('GET', path);
        return reply.headers.get('Holdfast-Stale') === null ? undefined : reply;
      });
      assert.equal([answered, headers.get('Holdfast-Stale')], [200, 'true'], path);
    }
  },
);

newer('given a subscriber that needs it, then it stops there and says why', async ({ service, eventId }) => {
  const { pools } = service.composition;
  const blocked = await until(async () =>
    (await standings(pools.owner)).find((one) => one.blocked?.id === eventId),
  );
  assert.match(blocked.lastError ?? '', 'schema version 7');
});

newer(
  'given its place, when a view looks for what it applied last, then it finds it',
  async ({ service: { composition }, eventId }) => {
    const { events } = await composition.writtenLog.readAll(null, 500);
    const event = events.find(({ id }) => id === eventId);
    assert.ok(event);
    assert.is(await isInPlace(composition.log, lastEventOf(event)), true);
  },
);

newer('given a rebuild, then it refuses', async ({ service: { composition } }) => {
  const refused = await rejectionOf(rebuild(engineOf(composition), 'tokens', () => undefined));
  assert.instance(refused, EventTooNew);
});

newer.run();
