import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomId } from '#src/identifiers.ts';
import { accept, invite, manage } from '#test/members/support/people.ts';
import type { List } from '#test/members/support/people.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const audit = suite<{ service: VaultService }>('audit: members');

audit.before(async (context) => {
  context.service = await startVaultService();
});
audit.after(({ service }) => service.close());

type Entry = Record<string, unknown>;

audit(
  'given reads, changes and refusals, when the audit log is listed, then each is there and names nobody',
  async ({ service }) => {
    const { id } = await invite(service, 'jane@example.com');
    await manage(service, 'GET', `/invitations/${id}`);
    const absent = randomId();
    await manage(service, 'POST', `/invitations/${absent}/resend`);
    await manage(service, 'GET', '/members');
    const member = await accept(service, id, { firstName: 'Jane' });
    const wanted = [
      `create tenant_invitation ${id} succeeded`,
      `read tenant_invitation ${id} succeeded`,
      `resend tenant_invitation ${absent} refused`,
      'read tenant_member  succeeded',
      `accept tenant_invitation ${id} succeeded`,
      `create tenant_member ${member.id} succeeded`,
    ];
    // Those of events come by themselves, a moment later.
    await until(async () => {
      const options = { key: service.keys.management };
      const { body } = await service.call<List<Entry>>('GET', '/logs?size=100', undefined, options);
      assert.not.ok(/jane/i.test(JSON.stringify(body)));
      const found = body.data.map(
        (entry) => `${entry['operation']} ${entry['entity_type']} ${entry['entity_id']} ${entry['outcome']}`,
      );
      return wanted.every((line) => found.includes(line));
    });
  },
);

audit.run();
