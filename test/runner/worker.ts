import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/** What the runner asks of a worker: to run a file, or to end. */
export type Order = { run: string } | { end: true };

const recordedUvu = new URL('recordedUvu.ts', import.meta.url).href;

// Suites queue up instead of running by themselves.
Object.assign(globalThis, { UVU_DEFER: true });
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'uvu' && context.parentURL !== recordedUvu
      ? { url: recordedUvu, shortCircuit: true }
      : next(specifier, context),
});
const { runTestFile } = await import('#test/runner/runTestFile.ts');
const { closeSharedServices, keepSharedServices } = await import('#test/support/shared.ts');

keepSharedServices(2);

process.on('message', (order: Order) => {
  void carryOut(order);
});

async function carryOut(order: Order): Promise<void> {
  if ('run' in order) {
    process.send?.(await runTestFile(order.run, pathToFileURL(resolve(order.run)).href));
    return;
  }
  await closeSharedServices();
  process.disconnect();
  // What files left behind was told already; it must not hold the run.
  setTimeout(() => process.exit(0), 5_000).unref();
}
