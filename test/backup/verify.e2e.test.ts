import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { administer, card, newGround, newToken } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { prepareDirectory } from '#test/support/preparedDirectory.ts';
import { request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

type Context = { ground: Ground; service: ServiceProcess };

const verify = suite<Context>('verification of the service');

verify.before(async (context) => {
  context.ground = await newGround();
  await prepareDirectory(context.ground.path('data'));
  context.service = await startService(context.ground.path('data'));
  await newToken(context.service, card);
});
verify.after(async ({ ground, service }) => {
  await service.end();
  await ground.remove();
});

/** What is written meanwhile, or went, is no fault; a change is undone after it was found. */
verify(
  'given tokens that are changed, deleted and expire, when the service is verified, then nothing is wrong',
  async ({ ground, service }) => {
    const key = service.credentials.private;
    const { id } = (await newToken(service, card)).body;
    await request(service, 'PATCH', `/tokens/${id}`, { key, body: { data: { expiration_year: 2031 } } });
    const { id: deleted } = (await newToken(service, { type: 'token', data: 'gone' })).body;
    await request(service, 'DELETE', `/tokens/${deleted}`, { key });
    const kept = async (): Promise<number> =>
      Number((await administer(service.dataDirectory, 'select count(*) from vault.payloads'))[0]?.['count']);
    await until(async () => (await kept()) === 2);
    const { code, out } = await ground.holdfast('data', 'verify');
    assert.is(code, 0, out);
    assert.match(out, /^\d+ events in their streams: whole\n/);
    assert.match(out, /\n4 references of events to the vault: whole\n2 payloads decrypted: whole\n/);
    assert.match(out, /\n3 credentials: whole\nrights of 4 streams as they were given: whole\n/);
    assert.match(out, /\n\d+ views as the log has them: whole\n/);
    assert.match(out, /\n\d+ entries of the audit log in \d+ chains: whole\n$/);
  },
);

const damages: [string, string, string, RegExp][] = [
  [
    'a payload that was moved from another row',
    `create table backup_of as select * from vault.payloads;
     update vault.payloads set ciphertext = (select ciphertext from backup_of b where b.id <> payloads.id limit 1)
     where id = (select id from vault.payloads order by id limit 1)`,
    `update vault.payloads p set ciphertext = b.ciphertext from backup_of b where b.id = p.id; drop table backup_of`,
    /tenant [0-9a-f-]{36}: payload [0-9a-f-]{36} cannot be decrypted\n2 payloads decrypted: 1 NOT whole/,
  ],
  [
    'a payload that is missing',
    `create table backup_of as select * from vault.payloads order by id limit 1;
     delete from vault.payloads where id = (select id from backup_of)`,
    'insert into vault.payloads select * from backup_of; drop table backup_of',
    /stream token-[0-9a-f.-]+: its payload [0-9a-f-]{36} is missing from the vault/,
  ],
  [
    'an event that is missing',
    `create table backup_of as select * from event_log.events where stream like 'token-%' and revision = 0 limit 1;
     delete from event_log.events where id = (select id from backup_of)`,
    'insert into event_log.events select * from backup_of; drop table backup_of',
    /events of it are missing\n|the event was removed/,
  ],
];

for (const [what, damage, repair, sentence] of damages) {
  verify(
    `given ${what}, when the service is verified, then it is found and named`,
    async ({ ground, service }) => {
      await administer(service.dataDirectory, damage);
      const { code, out } = await ground.holdfast('data', 'verify');
      assert.is(code, 1, out);
      assert.match(out, sentence);
      await administer(service.dataDirectory, repair);
      assert.is((await ground.holdfast('data', 'verify')).code, 0);
    },
  );
}

verify(
  'given credentials, views, rights and the note of their signing that were changed, when the service is verified, then each is named',
  async ({ ground, service }) => {
    await administer(
      service.dataDirectory,
      `create table credentials_of as select * from vault.credentials order by key_id limit 1;
       create table rows_of as select * from read_models.applications where type = 'private';
       create table event_of as select * from event_log.events where type = 'application.created' limit 1;
       update vault.credentials set application_id = tenant_id where key_id = (select key_id from credentials_of);
       update read_models.applications set permissions = '{}' where type = 'private';
       update event_log.events set data = jsonb_set(data::jsonb, '{permissions}', '[]')
       where id = (select id from event_of);
       delete from vault.signed_rights`,
    );
    const { code, out } = await ground.holdfast('data', 'verify');
    assert.is(code, 1, out);
    assert.match(out, /\ntenant [0-9a-f-]{36}: the credential of key [0-9a-f-]{36} was changed/);
    assert.match(out, /\nthe note that rights are signed was removed[^\n]*\n/);
    assert.match(out, /\n3 credentials: 2 NOT whole\n/);
    assert.match(out, /\nstream application-[0-9a-f.-]+: its rights are not those that were given\n/);
    assert.match(out, /\nview applications: the row [0-9a-f-]{36} [0-9a-f-]{36} of applications is not what/);
    await administer(
      service.dataDirectory,
      `update vault.credentials c set application_id = b.application_id from credentials_of b where b.key_id = c.key_id;
       update read_models.applications a set permissions = b.permissions from rows_of b where b.id = a.id;
       update event_log.events e set data = b.data from event_of b where b.id = e.id;
       insert into vault.signed_rights default values;
       drop table credentials_of, rows_of, event_of`,
    );
    assert.is((await ground.holdfast('data', 'verify')).code, 0);
  },
);

verify.run();
