import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countActiveTokens } from '#infra/audit/activeTokens.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Report = {
  token_report: {
    metrics_by_type: Record<string, { count: number; last_created_at: string }>;
    monthly_active_tokens: number;
  };
  total_tokens: number;
};
type Key = { id: string; last_used_at?: string };

let service: VaultService;
const usage = suite('usage');

usage.before(async () => {
  service = await startVaultService();
});
usage.after(() => service.close());

const report = async (): Promise<Report> => {
  const options = { key: service.keys.management };
  const reply = await service.call<Report>('GET', '/tenants/self/reports/usage', undefined, options);
  assert.is(reply.status, 200);
  return reply.body;
};
const newToken = async (): Promise<string> =>
  (await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'x' })).body.id;

usage('given tokens that come and go, then the report counts those that are there by type', async () => {
  const { pools } = service.composition;
  const gone = await newToken();
  await newToken();
  const ssn = { type: 'social_security_number', data: '123-45-6789' };
  assert.is((await service.call('POST', '/tokens', ssn)).status, 201);
  await service.call('DELETE', `/tokens/${gone}`);
  const { token_report, total_tokens } = await report();
  assert.is(total_tokens, 2);
  const { token, social_security_number: number } = token_report.metrics_by_type;
  assert.is(token?.count, 1);
  assert.is(number?.count, 1);
  assert.ok(Date.parse(token?.last_created_at ?? '') > Date.now() - 60_000);
  // The one that was deleted was active, too.
  await until(async () => {
    await countActiveTokens(pools.owner);
    return (await report()).token_report.monthly_active_tokens === 3;
  });
});

usage('given another tenant, then nothing of it is counted', async () => {
  const others = await service.anotherTenant();
  const options = { key: others.management };
  const reply = await service.call<Report>('GET', '/tenants/self/reports/usage', undefined, options);
  assert.equal(reply.body, {
    token_report: {
      metrics_by_type: {},
      included_monthly_active_tokens: 0,
      monthly_active_tokens: 0,
      total_tokens: 0,
    },
    total_tokens: 0,
  });
});

usage('given a key that is used, then its last use is told', async () => {
  const options = { key: service.keys.management };
  const made = await service.call<{ id: string; key: string }>(
    'POST',
    '/applications',
    { name: 'a', type: 'private', permissions: ['token:read'] },
    options,
  );
  const keysOf = async (): Promise<Key[]> =>
    (await service.call<Key[]>('GET', `/applications/${made.body.id}/keys`, undefined, options)).body;
  assert.is((await keysOf())[0]?.last_used_at, undefined);
  await service.call('GET', '/tokens', undefined, { key: made.body.key });
  await service.composition.keyUses.flush();
  const used = (await keysOf())[0]?.last_used_at ?? '';
  assert.ok(Math.abs(Date.parse(used) - Date.now()) < 60_000, used);
});

usage('given templates, then any key may list them, and each makes an application', async () => {
  type Template = {
    id: string;
    name: string;
    application_type: string;
    permissions: string[];
    rules: object[];
  };
  const { body } = await service.call<Template[]>('GET', '/application-templates');
  assert.ok(body.length >= 5);
  for (const { id, name, application_type: type, permissions, rules } of body) {
    const one = await service.call<Template>('GET', `/application-templates/${id}`);
    assert.is(one.body.name, name);
    const made = await service.call(
      'POST',
      '/applications',
      { name, type, permissions, rules },
      {
        key: service.keys.management,
      },
    );
    assert.is(made.status, 201, JSON.stringify(made.body));
  }
  assert.is((await service.call('GET', '/application-templates/none')).status, 404);
});

usage.run();
