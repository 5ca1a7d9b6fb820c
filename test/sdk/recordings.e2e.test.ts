import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDestination } from '#test/proxies/support/destination.ts';
import type { Destination } from '#test/proxies/support/destination.ts';
import { checkRows, rowOf } from '#test/sdk/support/recordings/rows.ts';
import { play } from '#test/sdk/support/recordings/play.ts';
import type { Deviation } from '#test/sdk/support/recordings/play.ts';
import { readRecordings } from '#test/sdk/support/recordings/recording.ts';
import { namedOf } from '#test/sdk/support/recordings/tenant.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** Which requests of real clients were recorded, and what is needed of their answers: see recordings/README.md. */
const recorded = suite('recordings of client libraries');
const recordings = await readRecordings();
const deviations = new Map<string, Deviation[]>();

let service: VaultService;
let destination: Destination;

recorded.before(async () => {
  destination = await startDestination();
  destination.answer = (response, seen) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(seen));
  };
  service = await startVaultService({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' } });
  // Each waits for views most of the time: side by side they take a third of it.
  const waiting = [...recordings];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, recording] = next;
      const { management } = await service.anotherTenant();
      const named = { ...(await namedOf(service, management)), echo: destination.url };
      deviations.set(name, await play(service.url, recording, named));
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
});
recorded.after(async () => {
  await service.close();
  await destination.close();
});

recorded('given the recordings, then there are as many exchanges as were recorded', () => {
  const count = [...recordings.values()].reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  assert.is(count, 1_103);
});

for (const [name, { client, what }] of recordings) {
  recorded(`given ${client}, when it sends ${what} (${name}), then it is given all that it needs`, () => {
    assert.equal(deviations.get(name), []);
  });
}

recorded('given what came of them, then docs/compatibility.md says so', async () => {
  const rows = [...recordings].map(([name, recording]) => rowOf(recording, deviations.get(name) ?? []));
  await checkRows(rows);
});

recorded.run();
