import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { placesInBackup, placesLeft, placesWhileRunning } from '#test/canaries/support/places.ts';
import type { Place } from '#test/canaries/support/places.ts';
import { Scanner } from '#test/canaries/support/scanner.ts';
import { startSubject } from '#test/canaries/support/subject.ts';
import type { Subject } from '#test/canaries/support/subject.ts';
import { sweep } from '#test/canaries/support/sweep.ts';
import { useCode } from '#test/canaries/support/useCode.ts';
import { useRights } from '#test/canaries/support/useRights.ts';
import { useTokens } from '#test/canaries/support/useTokens.ts';

export type Hunt = {
  canaries: number;
  /** Accepted in members that are in clear by definition, and therefore not hunted. */
  inClear: number;
  routes: number;
  spots: number;
  requests: number;
  /** Spellings of the canaries. */
  patterns: number;
  places: number;
  bytes: number;
  /** One sentence each: which canary, from where, was found where. */
  hits: string[];
};

export type HuntOptions = {
  /** One of so many spots of the routes is asked. */
  every: number;
  /** How often tokens are used in every way. */
  rounds: number;
  backup: boolean;
  /** Does what a leak would do, before anything is searched. */
  plant?: (subject: Subject) => Promise<unknown>;
  say?: (text: string) => void;
};

/** Sends canaries by every route of a service of its own, and looks for them wherever they must not be. */
export async function hunt(options: HuntOptions): Promise<Hunt> {
  const { every, rounds, backup, plant, say = () => undefined } = options;
  const subject = await startSubject();
  say('the service was started and furnished');
  try {
    await useCode(subject);
    say('code was used');
    await useRights(subject);
    await useTokens(subject, rounds);
    say(`${subject.canaries.hunted.length} canaries were sent by uses, ${subject.answers.length} requests`);
    const swept = await sweep(subject, every);
    say(answersByClass(subject));
    say(`${swept.spots} spots of ${swept.routes} routes were sent one each`);
    await untilQuiet(subject);
    await plant?.(subject);
    const search = new Scanner(subject.canaries.hunted);
    const found: Found = { places: 0, bytes: 0, hits: new Set() };
    await look(search, placesWhileRunning(subject), found);
    say(`${found.places} places were searched beside the running service`);
    if (backup) await look(search, placesInBackup(subject), found);
    await subject.service.end();
    await look(search, placesLeft(subject), found);
    return {
      canaries: subject.canaries.hunted.length,
      inClear: subject.canaries.inClear.length,
      routes: swept.routes,
      spots: swept.spots,
      requests: subject.answers.length,
      patterns: search.patterns,
      places: found.places,
      bytes: found.bytes,
      hits: [...found.hits],
    };
  } finally {
    await subject.close();
  }
}

/** How many answers there were of 2xx, 4xx and the like: canaries that are all refused would show little. */
function answersByClass({ answers }: Subject): string {
  const classes = Map.groupBy(answers, ({ status }) => `${Math.floor(status / 100)}xx`);
  return [...classes].map(([name, { length }]) => `${length} answers ${name}`).join(', ');
}

type Found = { places: number; bytes: number; hits: Set<string> };

async function look(search: Scanner, places: AsyncIterable<Place>, found: Found): Promise<void> {
  for await (const { name, bytes, mayHold } of places) {
    found.places += 1;
    found.bytes += bytes.length;
    for (const { canary, spelling, at } of search.scan(bytes)) {
      if (mayHold?.(canary) === true) continue;
      const context = Buffer.from(bytes.subarray(Math.max(0, at - 60), at + 60)).toString('latin1');
      found.hits.add(
        `${canary.kind} of ${canary.spot}, ${spelling}, is in ${name}: …${JSON.stringify(context)}…`,
      );
    }
  }
}

/** Waits until what works behind the requests has done it: deliveries, invocations, jobs. */
async function untilQuiet({ service, receiver }: Subject): Promise<void> {
  await until(async () => {
    const before = receiver.received.length;
    await sleep(1_000);
    return (
      before === receiver.received.length &&
      (await request(service, 'GET', '/readyz', { key: '' })).status === 200
    );
  });
}
