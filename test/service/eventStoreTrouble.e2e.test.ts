import * as assert from 'uvu/assert';
import { directorySuite } from '#test/support/directorySuite.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { refusalOf } from '#test/support/refusalOf.ts';
import { newDataDirectory, request, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const trouble = directorySuite('an event store that refuses', newDataDirectory);

trouble(
  'given a user without rights, when it starts or while it runs, then that is one sentence, and heals',
  async ({ directory }) => {
    const server = await EventStoreDbServer.start(0, '25.0.0');
    const settings = {
      EVENTSTOREDB_URL: server.connectionString.replace('//', '//holdfast:s3cret%25@'),
      HOLDFAST_STREAM_PREFIX: 'shared.',
    };
    server.allDenied = true;
    const refusal = await refusalOf(startService(directory, settings));
    assert.is(refusal.code, 1);
    assert.match(refusal.said, 'may read $all (readRoles)');
    assert.not.match(refusal.said, 's3cret');
    assert.not.match(refusal.said, '    at ');

    server.allDenied = false;
    const service = await startService(directory, settings);
    const ready = () =>
      request<{ errors?: Record<string, string[]> }>(service, 'GET', '/readyz', { key: '' });
    await until(async () => (await ready()).status === 200);
    server.allDenied = true;
    server.failSubscriptions({ code: 7, details: 'Access Denied', exception: 'access-denied' });
    const { body } = await until(async () => {
      const answer = await ready();
      return answer.body.errors?.['read_models'] === undefined ? undefined : answer;
    });
    assert.match(String(body.errors?.['event_log']), 'readRoles');
    assert.match(String(body.errors?.['read_models']), 'readRoles');
    server.allDenied = false;
    await until(async () => (await ready()).status === 200);
    const key = service.credentials.private;
    const created = await request(service, 'POST', '/tokens', { key, body: { type: 'token', data: 'x' } });
    assert.is(created.status, 201);
    assert.is(await service.end(), 0);
    server.stop();
  },
);

trouble(
  'given a wrong connection string, when it starts, then one sentence says so',
  async ({ directory }) => {
    const wrong: [string, string][] = [
      ['esdb://user:s3cret@localhost:2113?tlsCAFile=/nowhere/ca.pem', '/nowhere/ca.pem'],
      ['esdb://localhost:2113', 'must name a user and password'],
      ['http://user:s3cret@localhost:2113', 'must start with one of esdb://'],
    ];
    for (const [url, sentence] of wrong) {
      const refusal = await refusalOf(startService(directory, { EVENTSTOREDB_URL: url }));
      assert.is(refusal.code, 1);
      assert.match(refusal.said, sentence);
      assert.not.match(refusal.said, 's3cret');
      assert.not.match(refusal.said, '    at ');
    }
  },
);

trouble.run();
