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

verify.run();
