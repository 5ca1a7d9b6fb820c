import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '#infra/postgres/migrate.ts';
import { prepareDatabase } from '#infra/postgres/prepareDatabase.ts';
import { requireLogins } from '#infra/postgres/requireLogins.ts';
import { startupSentence } from '#src/main/startupSentence.ts';
import { startForeignCluster } from '#test/database/support/foreignCluster.ts';
import type { ForeignCluster } from '#test/database/support/foreignCluster.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

const test = suite<{ cluster: ForeignCluster }>('what a database of somebody else may lack');

test.before(async (context) => {
  context.cluster = await startForeignCluster();
});
test.after.each(async ({ cluster }) => {
  await cluster.clear();
});
test.after(async ({ cluster }) => {
  await cluster.stop();
});

const sentenceOf = async (promise: Promise<unknown>): Promise<string> =>
  startupSentence(await rejectionOf(promise)) ?? '';

const prepare = (url: string): Promise<string> => sentenceOf(prepareDatabase({ connectionString: url }));

test('given a database that lacks a right, a role or room, when it is prepared, then one sentence says what to do', async ({
  cluster,
}) => {
  const own = await cluster.makeOwner('hf', 'createrole');
  const weak = cluster.urlOf('weak', 'hf');
  await cluster.administer(`create role weak login password '${new URL(weak).password}'`);
  assert.match(
    await prepare(weak),
    /the user weak may not make schemas in the database hf: grant create on database "hf" to "weak"/,
  );
  await cluster.administer('grant create on database hf to weak');
  assert.match(
    await prepare(weak),
    /may not make tables in the schema public of hf: grant usage, create on schema public to "weak"/,
  );
  await cluster.administer('grant create on schema public to weak', 'hf');
  assert.match(
    await prepare(weak),
    /the role holdfast_api is missing, and the user weak may not create roles: .*`npx holdfast database prepare --print`/,
  );
  await cluster.administer('create role holdfast_api nologin');
  assert.match(await prepare(weak), /the user weak may not enter the role holdfast_api: .*prepare --print/);
  await cluster.administer('create schema vault authorization hf', 'hf');
  assert.match(
    await prepare(weak),
    /the tables in the database hf belong to hf, not to weak: name that user in DATABASE_URL/,
  );
  await cluster.administer('alter role hf connection limit 0');
  assert.match(
    await prepare(own),
    /the database has no room for another connection: raise max_connections on its server, or lower HOLDFAST_PROCESSES/,
  );
  await cluster.administer('alter role hf connection limit -1');
  await cluster.administer("create database weak encoding 'LATIN1' template template0");
  assert.match(
    await prepare(cluster.urlOf('hf', 'weak')),
    /the database weak is encoded in LATIN1: make one with the encoding UTF8/,
  );
  const wrong = new URL(own);
  wrong.password = 'wrong';
  assert.match(
    await prepare(wrong.href),
    /the database cannot be reached: password authentication failed for user "hf"/,
  );
});

test('given logins of roles, when one has other rights than those of its role, then one sentence says what to change', async ({
  cluster,
}) => {
  const url = await cluster.makeOwner('hf', 'createrole');
  await migrate({ connectionString: url });
  const login = cluster.urlOf('of_api', 'hf');
  await cluster.administer(
    `create role of_api login password '${new URL(login).password}'; grant holdfast_api to of_api with inherit true`,
  );
  const check = (connectionString: string): Promise<void> =>
    requireLogins({ connectionString: url, logins: { api: { connectionString } } });
  await check(login);
  for (const [statement, sentence] of [
    ['alter role of_api bypassrls', /the user of_api of DATABASE_URL_API is not bound by row-level security/],
    ['alter role of_api nobypassrls; grant hf to of_api', /can become the owner of the tables/],
    [
      'revoke hf from of_api; grant holdfast_vault to of_api',
      /is also in holdfast_vault: revoke holdfast_vault from of_api/,
    ],
    [
      'revoke holdfast_vault, holdfast_api from of_api',
      /lacks the rights of holdfast_api: grant holdfast_api to of_api with inherit true/,
    ],
  ] as const) {
    await cluster.administer(statement);
    assert.match(await sentenceOf(check(login)), sentence);
  }
  const wrong = new URL(login);
  wrong.password = 'wrong';
  assert.match(
    await sentenceOf(check(wrong.href)),
    /cannot be reached by DATABASE_URL_API: password authentication failed/,
  );
});

test.run();
