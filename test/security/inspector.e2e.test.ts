import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, startService } from '#test/support/service.ts';
import { childrenOf } from '#test/security/support/processes.ts';
import { until } from '#test/support/until.ts';

const inspector = suite<{ directory: string }>('the debugger');

inspector.before(async (context) => {
  context.directory = await newPreparedDirectory();
});
inspector.after(({ directory }) => removeDataDirectory(directory));

inspector(
  'given a running service, when its processes are asked to open the debugger, then none does, and all go on',
  async ({ directory }) => {
    const service = await startService(directory, { HOLDFAST_PROCESSES: '2' });
    try {
      const { pid } = service.child;
      assert.ok(pid !== undefined);
      const apiProcesses = (await childrenOf(pid)).filter(({ command }) => command.includes('apiProcess.ts'));
      assert.is(apiProcesses.length, 2);
      const asked = [pid, ...apiProcesses.map((child) => child.pid)];
      for (const one of asked) process.kill(one, 'SIGUSR1');
      const said = (): number => service.said().split('the debugger stays closed').length - 1;
      await until(() => said() === asked.length);
      assert.not.match(service.said(), 'Debugger listening');
      for (let n = 0; n < 20; n++) {
        assert.is((await fetch(`${service.url}/readyz`, { headers: { Connection: 'close' } })).status, 200);
      }
    } finally {
      assert.is(await service.end(), 0);
    }
  },
);

inspector.run();
