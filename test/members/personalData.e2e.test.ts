import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomId } from '#src/identifiers.ts';
import { personRemoval } from '#subscribers/personRemoval.ts';
import { accept, invite, manage } from '#test/members/support/people.ts';
import { recordedEvent } from '#test/support/projection.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const personalData = suite<{ service: VaultService }>('personal data of members');

personalData.before(async (context) => {
  context.service = await startVaultService({ alone: true });
});
personalData.after(({ service }) => service.close());

/** The payloads of people that the vault holds. */
async function payloads({ composition }: VaultService): Promise<string[]> {
  const { rows } = await composition.pools.owner.query<{ id: string }>(
    "select id from vault.payloads where stream like 'invitation-%' or stream like 'member-%' order by id",
  );
  return rows.map(({ id }) => id);
}

personalData(
  'given people who come and go, when log and views are searched, then nobody is named, and the vault forgets',
  async ({ service }) => {
    const gone = await invite(service, 'canary-gone@example.com');
    await manage(service, 'POST', `/invitations/${gone.id}/resend`);
    await manage(service, 'DELETE', `/invitations/${gone.id}`);
    const { id: invitationId } = await invite(service, 'canary-jane@example.com');
    const { id } = await accept(service, invitationId, {
      firstName: 'canary-first',
      lastName: 'canary-last',
    });
    // Only the member is left: both invitations have ended.
    await until(async () => (await payloads(service)).length === 1);
    const { rows } = await service.composition.pools.owner.query<{ text: string }>(
      `select row_to_json(e)::text as text from event_log.events as e
       union all select row_to_json(i)::text from read_models.tenant_invitations as i
       union all select row_to_json(m)::text from read_models.tenant_members as m
       union all select encode(ciphertext, 'escape') from vault.payloads`,
    );
    assert.ok(rows.length > 10);
    for (const { text } of rows) assert.not.ok(text.includes('canary'), text);
    await manage(service, 'DELETE', `/members/${id}`);
    await until(async () => (await payloads(service)).length === 0);
  },
);

personalData(
  'given an event that ends a record, when the subscriber is told twice, then its payload goes, and only that',
  async ({ service }) => {
    const { vault } = service.composition;
    const tenant_id = service.tenantId;
    const store = async (): Promise<string> => {
      const payload = {
        id: randomId(),
        stream: `member-${tenant_id}.${randomId()}`,
        data: { email: 'a@b.cd' },
      };
      await vault.store({ ...payload, tenantId: tenant_id });
      return payload.id;
    };
    const [kept, ...ended] = [await store(), await store(), await store(), await store()];
    const subscriber = personRemoval(vault);
    const events = subscriber.types.map((type, index) =>
      recordedEvent({
        type,
        data: { id: randomId(), payload_id: ended[index] ?? '' },
        metadata: { tenant_id },
      }),
    );
    assert.is(events.length, ended.length);
    await subscriber.handle(events);
    await subscriber.handle(events);
    assert.equal(await payloads(service), [kept]);
  },
);

personalData.run();
