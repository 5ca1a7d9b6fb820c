import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { administer } from '#test/backup/support/backups.ts';
import { directorySuite } from '#test/support/directorySuite.ts';
import { request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const signed = directorySuite('the signing of rights at an upgrade');

/** Takes away what signing has brought: as the version before left it, but for the version of its views. */
const unsigned = `
  update event_log.events set metadata = (metadata::jsonb - 'mac')::json where metadata->>'mac' is not null;
  delete from vault.system_keys where purpose = 'rights';
  alter table vault.credentials drop column mac;
  drop table vault.signed_rights;
  delete from public.holdfast_migrations where name = '0091_signed_rights';
  update read_models.applications set mac = null;
  update read_models.tenants set mac = null;
  update read_models.sessions set mac = null`;

const statusOf = async (service: ServiceProcess, key: string, path = '/tokens'): Promise<number> =>
  (await request(service, 'GET', path, { key })).status;

type Entries = { data: { operation: string; entity_type: string; actor_type: string; message: string }[] };

signed(
  'given an installation of before, when it is started, then its rights are signed, which is audited, and never again',
  async ({ directory }) => {
    const before = await startService(directory);
    const { private: key, management, public: opener } = before.credentials;
    const opened = await request<{ session_key: string; nonce: string }>(before, 'POST', '/sessions', {
      key: opener,
    });
    // The keys of `dev` are in a file, and every start stores them anew: this one is not.
    const { body: made } = await request<{ key: string; id: string }>(before, 'POST', '/applications', {
      key: management,
      body: { name: 'of before', type: 'private', permissions: ['token:read'] },
    });
    const authorization = { nonce: opened.body.nonce, permissions: ['token:search', 'token:read'] };
    const authorized = await request(before, 'POST', '/sessions/authorize', { key, body: authorization });
    assert.is(authorized.status, 200);
    await administer(directory, unsigned);
    await before.end();
    await rm(join(directory, 'audit', 'rights-signed'));

    const first = await startService(directory);
    assert.is(await statusOf(first, key), 200);
    assert.is(await statusOf(first, made.key), 200);
    assert.is(await statusOf(first, opened.body.session_key), 200);
    assert.is(await statusOf(first, management, '/applications'), 200);
    await until(async () => {
      const { body } = await request<Entries>(first, 'GET', '/logs?size=100', { key: management });
      return body.data.some(
        ({ entity_type, operation }) => `${entity_type} ${operation}` === 'application sign',
      );
    });
    const [entry] = await administer(
      directory,
      `select actor_type, actor_id, detail from audit.entries where operation = 'sign' and entity_type = 'key'`,
    );
    assert.equal(entry, { actor_type: 'system', actor_id: 'upgrade', detail: '6 streams, 5 credentials' });
    assert.match(await readFile(join(directory, 'audit', 'rights-signed'), 'utf8'), /signed/);
    await first.end();

    // Who takes the note away has nothing signed again: what has no MAC now was not given by us.
    const again = await startService(directory);
    await administer(
      directory,
      `update vault.credentials set mac = null where application_id = '${made.id}';
       delete from vault.signed_rights`,
    );
    await again.end();
    const last = await startService(directory);
    assert.is(await statusOf(last, made.key), 500);
    assert.is(await statusOf(last, management, '/applications'), 200);
    assert.match(last.said(), /rights without a signature are refused/);
    await last.end();
  },
);

signed.run();
