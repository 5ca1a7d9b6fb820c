import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf } from '#test/support/childrenOf.ts';
import {
  cleanEnvironment,
  newDataDirectory,
  program,
  removeDataDirectory,
  startService,
} from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const interrupted = suite<{ directory: string }>('a start that is interrupted');

interrupted.before.each(async (context) => {
  context.directory = await newDataDirectory();
});
interrupted.after.each(({ directory }) => removeDataDirectory(directory));

interrupted(
  'given a start whose database is there and no more, when it is told to stop, then it ends as one that was told to',
  async ({ directory }) => {
    const child = spawn(process.execPath, [program, 'start'], {
      env: { ...cleanEnvironment(), PORT: '0', LOG_LEVEL: 'info', HOLDFAST_DATA_DIR: directory },
    });
    const closed = once(child, 'close');
    const said = { out: '', err: '' };
    child.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
      if (said.out.includes('PostgreSQL is ready')) child.kill('SIGTERM');
    });
    const [code] = (await closed) as [number | null];
    assert.is(said.err, '');
    assert.is(code, 0);
    assert.not.match(said.out, 'is ready on');
  },
);

interrupted(
  'given any free port, when the only API process is killed, then the one that takes its place has that port',
  async ({ directory }) => {
    const service = await startService(directory);
    try {
      const answers = (): Promise<boolean> =>
        fetch(`${service.url}/healthz`, { headers: { Connection: 'close' } }).then(
          ({ ok }) => ok,
          () => false,
        );
      assert.ok(await answers());
      for (const pid of childrenOf(service, 'apiProcess.ts')) process.kill(pid, 'SIGKILL');
      await until(() => service.said().includes('an API process ended and is replaced'));
      await until(answers);
    } finally {
      await service.end();
    }
  },
);

interrupted.run();
