import { once } from 'node:events';
import { compileFunction } from 'node:vm';
import type pg from 'pg';
import { createMetrics } from '#http/metrics.ts';
import { listen } from '#http/server.ts';
import { readConfig } from '#src/config.ts';
import { appOf } from '#src/main/appOf.ts';
import { compose } from '#src/main/compose.ts';
import type { Audit } from '#ports/audit.ts';
import type { Invocation, Program, SandboxResult } from '#ports/sandbox.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type ApiOrder = {
  connection: pg.ClientConfig;
  dataDirectory: string;
  audited?: boolean;
  /** Code of reactors: in hosts as always, there in fresh contexts, or as a function of this process. Default: `hosts`. */
  code?: 'hosts' | 'fresh' | 'unconfined';
};

/** What nothing but a measurement composes: a log that keeps nothing. */
const silentAudit: Audit = { record: () => Promise.resolve() };

type Code = (req: { args: unknown; configuration: unknown; bt: null }) => Promise<object>;
const functions = new Map<string, Promise<Code>>();

/** The same code as a function of this process, with nothing around it. */
async function runHere({ program, args = 'null' }: Invocation): Promise<SandboxResult> {
  const loaded = functions.get(program.id) ?? loadHere(program);
  functions.set(program.id, loaded);
  const returned = await (await loaded)({ args: JSON.parse(args) as unknown, configuration: {}, bt: null });
  return { outcome: { kind: 'returned', result: JSON.stringify(returned) }, logs: [] };
}

async function loadHere(program: Program): Promise<Code> {
  const { code: source } = await program.load();
  const module = { exports: {} };
  compileFunction(source, ['module'])(module);
  return module.exports as Code;
}

/** An API process beside a running service, with or without its audit log. Says its port, and serves until it is killed. */
const {
  connection,
  dataDirectory,
  audited = true,
  code = 'hosts',
} = JSON.parse(process.argv[2] ?? '{}') as ApiOrder;
const config = readConfig({
  HOLDFAST_DATA_DIR: dataDirectory,
  HOLDFAST_RATE_LIMITS: 'off',
  HOLDFAST_REACTOR_CONTEXTS: code === 'fresh' ? 'fresh' : 'reused',
});
const composition = await compose(config, connection, silentLogger, {
  sizes: { owner: 1, api: 6, vault: 6, log: 4 },
  serves: true,
});
const app = appOf(
  {
    ...composition,
    ...(audited ? {} : { audit: silentAudit }),
    ...(code === 'unconfined' ? { sandbox: { ...composition.sandbox, invoke: runHere } } : {}),
  },
  {
    metrics: createMetrics(),
    readiness: [],
  },
);
composition.sandbox.prepare();
const { port } = await listen({ app, hosts: ['127.0.0.1'], port: 0 });
process.send?.(port);
await once(process, 'disconnect');
await composition.sandbox.close();
process.exit(0);
