import { once } from 'node:events';
import { Command, InvalidArgumentError } from 'commander';
import { fuzz } from '#test/fuzz/support/fuzz.ts';
import { allowedGrowth, growthOf } from '#test/fuzz/support/memory.ts';
import { startFuzzedService } from '#test/fuzz/support/service.ts';

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
};

const program = new Command('fuzz')
  .description('asks the service whatever its OpenAPI document says, rightly and wrongly')
  .option('--requests <n>', 'how many', wholeNumber, 200_000)
  .option(
    '--seed <n>',
    'of an earlier run, to make the same requests',
    wholeNumber,
    Date.now() % 1_000_000_000,
  )
  .option('--stay', 'leave the service running until Ctrl-C, for what the report says to be tried')
  .option('--answers', 'tell how often each operation was answered with each status');
const { requests, seed, stay, answers } = program
  .parse()
  .opts<{ requests: number; seed: number; stay?: boolean; answers?: boolean }>();

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const started = performance.now();
const { close, ...where } = await startFuzzedService();
try {
  say(`seed ${seed}`);
  const result = await fuzz({
    ...where,
    requests,
    seed,
    progress: (done) => {
      if (done % 10_000 === 0) say(`${done} requests, ${secondsSince(started)} s`);
    },
  });
  if (answers === true) {
    for (const [name, byStatus] of [...result.answers].sort()) {
      say(
        `${name}: ${[...byStatus]
          .sort()
          .map(([status, count]) => `${status} × ${count}`)
          .join(', ')}`,
      );
    }
  }
  if (result.faults.count > 0) say(`\n${String(result.faults)}\n`);
  const { memory } = result;
  say(
    `${requests} requests in ${secondsSince(started)} s, seed ${seed}: ${result.faults.count} kinds of faults; ` +
      `memory in use grew by ${growthOf(memory, 'heap').toFixed(1)} MB, resident by ${growthOf(memory, 'resident').toFixed(1)} MB`,
  );
  const isFlat = growthOf(memory, 'heap') <= allowedGrowth(requests);
  process.exitCode = result.faults.count === 0 && isFlat ? 0 : 1;
  if (stay === true) await once(process, 'SIGINT');
} finally {
  await close();
}

function secondsSince(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(0);
}
