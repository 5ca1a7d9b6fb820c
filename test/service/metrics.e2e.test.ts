import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { createTestDatabase } from '#test/support/database.ts';
import { directorySuite } from '#test/support/directorySuite.ts';
import { freePort } from '#test/support/freePort.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { cleanEnvironment, program, startService } from '#test/support/service.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { until } from '#test/support/until.ts';

const metrics = directorySuite('metrics at an address of their own', newPreparedDirectory);

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

metrics(
  'given an address for metrics, when several processes serve, then those of all are there, and nothing else, and not where clients are',
  async ({ directory }) => {
    const port = await freePort();
    const settings = { HOLDFAST_PROCESSES: '2', HOLDFAST_METRICS_ADDRESS: `127.0.0.1:${port}` };
    const service = await startService(directory, settings);
    const own = `http://127.0.0.1:${port}`;
    try {
      assert.is(await statusOf(`${service.url}/metrics`), 404);
      assert.is(await statusOf(`${service.url}/healthz`), 200);
      await until(async () => /route="\/healthz",status="200"\} 1/.test(await textOf(`${own}/metrics`)));
      assert.match(await textOf(`${own}/metrics`), /^holdfast_projections_running 1$/m);
      for (const path of ['/', '/healthz', '/tokens', '/metrics/x']) {
        assert.is(await statusOf(own + path), 404);
      }
      assert.is((await fetch(`${own}/metrics`, { method: 'POST' })).status, 405);
    } finally {
      assert.is(await service.end(), 0);
    }
    assert.is(await rejectionOf(fetch(`${own}/metrics`)).then(() => 'closed'), 'closed');
  },
);

metrics('given a worker of its own, then its metrics are at their address', async ({ directory }) => {
  const database = await createTestDatabase();
  const port = await freePort();
  const child = spawn(process.execPath, [program, 'start'], {
    env: {
      ...cleanEnvironment(),
      DATABASE_URL: String(database.connection.connectionString),
      HOLDFAST_DATA_DIR: directory,
      HOLDFAST_ROOT_KEY: randomBytes(32).toString('base64'),
      HOLDFAST_ROLE: 'worker',
      HOLDFAST_METRICS_ADDRESS: `127.0.0.1:${port}`,
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    const text = await until(() => textOf(`http://127.0.0.1:${port}/metrics`).catch(() => undefined));
    assert.match(text, /^holdfast_projections_running [01]$/m);
  } finally {
    child.kill();
    await ended;
    await database.drop();
  }
});

metrics.run();
