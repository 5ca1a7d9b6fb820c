import { suite } from 'uvu';
import { describeAppending } from '#test/eventlog/contract/appending.ts';
import type { Contract, Engine } from '#test/eventlog/contract/engine.ts';
import { describeInterruptions } from '#test/eventlog/contract/interruptions.ts';
import { describeReading } from '#test/eventlog/contract/reading.ts';
import { describeSubscribing } from '#test/eventlog/contract/subscribing.ts';

/** Registers and runs what every engine promises. */
export function runContract(name: string, start: () => Promise<Engine>): void {
  const test = suite(`event log contract: ${name}`);
  let engine: Engine | undefined;
  test.before(async () => {
    engine = await start();
  });
  test.after(async () => {
    await engine?.close();
  });
  const contract: Contract = {
    holds(promise, check) {
      test(promise, async () => {
        if (engine === undefined) throw new Error('the engine did not start');
        await check(engine);
      });
    },
  };
  describeAppending(contract);
  describeReading(contract);
  describeSubscribing(contract);
  describeInterruptions(contract);
  test.run();
}
