import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { administer } from '#test/backup/support/backups.ts';
import { hunt } from '#test/canaries/support/hunt.ts';
import type { Subject } from '#test/canaries/support/subject.ts';

const canaries = suite('canaries by every route');

/** What a leak would do: a row in the clear, a file in base64, a line backwards in the log. */
async function leak({ canaries: all, service, temporary, owned }: Subject): Promise<void> {
  const inTable = all.make('card', 'planted in a table');
  const inFile = all.make('text', 'planted in a file');
  const inLog = all.make('account', 'planted in the log');
  await administer(
    service.dataDirectory,
    `update read_models.applications set name = '${inTable}' where id = '${owned.application}'`,
  );
  await appendFile(join(temporary, 'left'), Buffer.from(`a ${inFile}`).toString('base64'));
  service.child.stdout?.emit('data', Buffer.from([...inLog].reverse().join('')));
}

canaries(
  'given secrets in some spots of the routes and three that are planted, when all is searched, then only those are found',
  async () => {
    const { hits, canaries: sent } = await hunt({ every: 100, rounds: 1, backup: false, plant: leak });
    const planted = hits.filter((hit) => hit.includes(' of planted in '));
    assert.equal(
      hits.filter((hit) => !planted.includes(hit)),
      [],
    );
    const expected: [string, RegExp][] = [
      ['row', /planted in a table, clear, is in the table read_models\.applications/],
      ['file of the database', /planted in a table, clear, is in data directory: postgres/],
      ['file', /planted in a file, base64 at 2, is in temporary directory: left/],
      ['line', /planted in the log, reversed, is in the output/],
    ];
    for (const [what, pattern] of expected) {
      assert.ok(
        planted.some((hit) => pattern.test(hit)),
        `${what}: ${planted.join('\n')}`,
      );
    }
    assert.ok(sent > 100, `${sent} canaries were sent`);
  },
);

canaries.run();
