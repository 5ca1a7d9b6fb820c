import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { play } from '#test/eventlog/recordings/player.ts';
import type { Scenario } from '#test/eventlog/recordings/player.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { generations } from '#test/support/eventstoredb/generation.ts';
import type { Generation } from '#test/support/eventstoredb/generation.ts';

const test = suite('the in-process server beside recordings of real ones');

/** Most of a scenario is waiting, so several are played at once, each on a server of its own. */
const atOnce = 12;

for (const generation of generations) {
  test(`given each of the 72 scenarios, then it answers as ${generation} did`, async () => {
    const { scenarios } = recordingOf(generation);
    for (let from = 0; from < scenarios.length; from += atOnce) {
      const some = scenarios.slice(from, from + atOnce);
      const played = await Promise.all(some.map((scenario) => playOnNewServer(generation, scenario)));
      some.forEach((scenario, index) => {
        assertAnswered(scenarios, scenario, played[index] ?? {});
      });
    }
  });
}

async function playOnNewServer(generation: Generation, scenario: Scenario): Promise<Partial<Scenario>> {
  const server = await EventStoreDbServer.start(0, generation);
  try {
    return await play(server, scenario);
  } finally {
    server.stop();
  }
}

test('given the recordings, then each generation has the same 72 scenarios', () => {
  const names = generations.map((generation) =>
    recordingOf(generation).scenarios.map(({ kind, name }) => `${kind}: ${name}`),
  );
  assert.is(names[0]?.length, 72);
  for (const others of names) assert.equal(others, names[0]);
});

function assertAnswered(all: readonly Scenario[], scenario: Scenario, played: Partial<Scenario>): void {
  if (scenario.kind !== 'identical appends at once') {
    // How often which of two different appends comes first is nothing that is answered.
    assert.equal({ ...scenario, ...played }, scenario);
    return;
  }
  const recorded = new Set(
    all.filter(({ kind }) => kind === scenario.kind).flatMap(({ answers = {} }) => kindsOf(answers)),
  );
  const kinds = kindsOf(played.answers ?? {});
  for (const kind of kinds) assert.ok(recorded.has(kind), `recorded servers do not answer: ${kind}`);
  if (scenario.name.startsWith('second 0 ms')) {
    assert.ok(
      kinds.some((kind) => kind.includes('code 10')),
      'an append in flight hides its repetition',
    );
  }
}

/** Without how long the server took. */
function kindsOf(answers: Record<string, number>): string[] {
  return Object.keys(answers).map((answer) => answer.replaceAll(/ after about [\d.]+ s/g, ''));
}

function recordingOf(generation: Generation): { scenarios: Scenario[] } {
  const file = new URL(`recordings/${generation}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as { scenarios: Scenario[] };
}

test.run();
