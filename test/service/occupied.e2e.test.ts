import { once } from 'node:events';
import { createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { directorySuite } from '#test/support/directorySuite.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { refusalOf } from '#test/support/refusalOf.ts';
import { startService } from '#test/support/service.ts';

const occupied = directorySuite('starts where something is in use', newPreparedDirectory);

occupied(
  'given a running service, when a second starts on its directory, then it is refused with the pid',
  async ({ directory }) => {
    const service = await startService(directory);
    const refusal = await refusalOf(startService(directory));
    assert.is(refusal.code, 1);
    assert.match(refusal.said, `process id ${service.child.pid}`);
    assert.is((await fetch(`${service.url}/readyz`)).status, 200);
    await service.end();
  },
);

occupied(
  'given a port in use, when it starts, then one sentence, exit code 1, and no Postgres is left',
  async ({ directory }) => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const address = squatter.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const refusal = await refusalOf(startService(directory, { PORT: String(port) }));
    assert.is(refusal.code, 1);
    assert.match(refusal.said, `port ${port} of 127.0.0.1 is in use`);
    squatter.close();
    await (await startService(directory)).end();
  },
);

occupied.run();
