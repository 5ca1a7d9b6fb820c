#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import module from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The source is TypeScript that Node 24 runs as it is. npm puts that version first in the path; whoever calls
// this file directly with an older Node is handed over to it.
const major = Number(process.versions.node.split('.')[0]);
if (major >= 24) {
  if (process.argv[2] === 'start') keepCompiledCode();
  const { main } = await import('../src/cli/main.ts');
  await main();
} else {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(node)) {
    process.stderr.write(`holdfast: Node 24 is needed and this is ${process.version}: run npm ci first\n`);
    process.exit(1);
  }
  // A rebuild makes much garbage, and is to stay small beside the service.
  const flags = process.argv[2] === 'projections' ? ['--max-semi-space-size=16'] : [];
  const child = spawn(node, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

/** Beside the data, once a service has made its directory: one that was killed is back sooner by it. */
function keepCompiledCode() {
  const directory = process.env.HOLDFAST_DATA_DIR || '.holdfast';
  if (existsSync(join(directory, 'holdfast.json'))) module.enableCompileCache(join(directory, 'compiled'));
}
