import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSubscriptionRunner } from '#infra/subscriptions/runner.ts';
import { standings } from '#infra/subscriptions/standing.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { event, newStream } from '#test/eventlog/helpers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { logsToPutBack } from '#test/support/logsToPutBack.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';

for (const { name, open } of logsToPutBack) {
  const test = suite(`subscribers of a log that was put back: ${name}`);

  test('given a log that grew again past the checkpoint, when a subscriber resumes, then it handles nothing and says why', async () => {
    const database = await createTestDatabase();
    const { log, mark, putBack, close } = await open(database);
    const seen: string[] = [];
    const subscriber: Subscriber = {
      name: 'remembering',
      types: ['wanted.happened'],
      from: 'beginning',
      handle: (events) => {
        seen.push(...events.map(({ id }) => id));
        return Promise.resolve();
      },
    };
    const run = () => {
      const runner = createSubscriptionRunner({
        log,
        connection: database.connection,
        subscribers: [subscriber],
        logger: silentLogger,
      });
      runner.start();
      return runner;
    };
    const append = async (): Promise<string> => {
      const wanted = event('wanted.happened');
      await log.append(newStream(), 'none', [wanted]);
      return wanted.id;
    };
    await log.logId();
    const first = await append();
    await mark();
    const lost = await append();
    const runner = run();
    await until(() => seen.length === 2);
    await until(async () => (await standings(database.pools.owner))[0]?.position === (await log.head()));
    await runner.stop();
    await putBack();
    for (let number = 0; number < 3; number += 1) await append();
    const resumed = run();
    const message = async (): Promise<string> => (await standings(database.pools.owner))[0]?.lastError ?? '';
    await until(async () => (await message()).includes(lost));
    assert.match(await message(), 'which the event log no longer has there');
    assert.equal(seen, [first, lost]);
    await resumed.stop();
    await close();
    await database.drop();
  });

  test.run();
}
