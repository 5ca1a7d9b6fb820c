import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { openKeyProvider } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { createVault } from '#infra/vault/vault.ts';
import { readConfig } from '#src/config.ts';
import { card, newGround, newToken, readToken, revealingKey } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { prepareDirectory } from '#test/support/preparedDirectory.ts';
import { request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { turnOld } from '#test/vault/support/oldEnvelope.ts';

type Context = { ground: Ground; service: ServiceProcess };

const upgrade = suite<Context>('the upgrade of payloads');

upgrade.before(async (context) => {
  context.ground = await newGround();
  await prepareDirectory(context.ground.path('data'));
  context.service = await startService(context.ground.path('data'));
});
upgrade.after(async ({ ground, service }) => {
  await service.end();
  await ground.remove();
});

/** Puts every payload of the development tenant into the form of earlier versions. Answers how many. */
async function turnAllOld({ dataDirectory, credentials }: ServiceProcess): Promise<number> {
  const { environment } = readConfig({ HOLDFAST_DATA_DIR: dataDirectory });
  const database = await connectToDataDirectory(dataDirectory, silentLogger);
  const pool = new pg.Pool(database.connection);
  try {
    const source = { file: join(dataDirectory, 'root.key') };
    const keyProvider = await openKeyProvider({ pool, environment, source, logger: silentLogger });
    const clock = { now: () => new Date() };
    const vault = createVault({ pool, keyProvider, clock, environment, logger: silentLogger });
    return await turnOld({ pool, keyProvider, environment }, vault, credentials.tenant_id);
  } finally {
    await pool.end();
    await database.close();
  }
}

upgrade(
  'given a data directory with payloads of earlier versions, when keys are re-wrapped, then all are bound and readable',
  async ({ ground, service }) => {
    const { management } = service.credentials;
    const manage = async (path: string, body: object): Promise<string> => {
      const made = await request<{ id: string }>(service, 'POST', path, { key: management, body });
      assert.is(made.status < 300, true, JSON.stringify(made.body));
      return made.body.id;
    };
    const configuration = { secret: 'hidden' };
    const { id } = (await newToken(service, card)).body;
    const reactor = await manage('/reactors', { name: 'a', code: 'b', configuration });
    await manage('/webhooks', { name: 'a', url: 'https://example.com/hook', events: ['token.created'] });
    await manage('/proxies', { name: 'a', destination_url: 'https://example.com', configuration });
    await manage('/tenants/self/invitations', { email: 'somebody@example.com' });
    const payloads = await turnAllOld(service);
    assert.ok(payloads >= 6);

    const key = await revealingKey(service);
    assert.equal((await readToken(service, key, id)).body.data, card.data);
    assert.match((await ground.holdfast('data', 'keys', 'status')).out, / active .* [1-9]\d* *\n$/);
    const { code, out, err } = await ground.holdfast('data', 'keys', 'rewrap');
    assert.is(code, 0, err);
    assert.match(out, new RegExp(`^${payloads} payloads rewrapped, 1 key versions retired, 0 destroyed\\n$`));
    assert.match((await ground.holdfast('data', 'keys', 'status')).out, / active .* 0 *\n$/);

    assert.equal((await readToken(service, key, id)).body.data, card.data);
    const kept = await request<object>(service, 'GET', `/reactors/${reactor}`, { key: management });
    assert.match(JSON.stringify(kept.body), 'hidden');
    assert.is((await ground.holdfast('data', 'verify')).code, 0);
    assert.match((await ground.holdfast('data', 'keys', 'rewrap')).out, /^0 payloads rewrapped/);
  },
);

upgrade.run();
