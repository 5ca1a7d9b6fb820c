import { once } from 'node:events';
import type pg from 'pg';
import { createMetrics } from '#http/metrics.ts';
import { listen } from '#http/server.ts';
import { readConfig } from '#src/config.ts';
import { appOf } from '#src/main/appOf.ts';
import { compose } from '#src/main/compose.ts';
import type { Audit } from '#ports/audit.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type ApiOrder = { connection: pg.ClientConfig; dataDirectory: string; audited: boolean };

/** What nothing but a measurement composes: a log that keeps nothing. */
const silentAudit: Audit = { record: () => Promise.resolve() };

/** An API process beside a running service, with or without its audit log. Says its port, and serves until it is killed. */
const { connection, dataDirectory, audited } = JSON.parse(process.argv[2] ?? '{}') as ApiOrder;
const config = readConfig({ HOLDFAST_DATA_DIR: dataDirectory });
const composition = await compose(config, connection, silentLogger, {
  sizes: { owner: 1, api: 6, vault: 6, log: 4 },
  serves: true,
});
const app = appOf(audited ? composition : { ...composition, audit: silentAudit }, {
  metrics: createMetrics(),
  readiness: [],
});
const { port } = await listen({ app, hosts: ['127.0.0.1'], port: 0 });
process.send?.(port);
await once(process, 'disconnect');
process.exit(0);
