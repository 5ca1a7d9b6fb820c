import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '#src/config.ts';
import { listenForMetrics } from '#src/main/metricsListener.ts';
import { Stack } from '#src/main/stack.ts';
import { freePort } from '#test/support/freePort.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

const test = suite('the address of metrics');

const read = (address: string) => readConfig({ HOLDFAST_METRICS_ADDRESS: address, HOST: '127.0.0.1' });
const exposition = { contentType: 'text/plain', text: () => Promise.resolve('metric 1\n') };

test('given a port, or an address with one, then it is read; anything else is an error that says what would be right', () => {
  assert.equal(read('9464').metricsAddress, { hosts: undefined, port: 9464 });
  assert.equal(read('10.0.0.5:9464').metricsAddress, { hosts: ['10.0.0.5'], port: 9464 });
  assert.equal(read('[::1]:9464').metricsAddress, { hosts: ['::1'], port: 9464 });
  for (const wrong of ['0', '70000', 'x', '::1:9464', 'http://a:1', ':9464', '[::1]']) {
    assert.throws(() => read(wrong), /HOLDFAST_METRICS_ADDRESS is '.*' and must be a port, or an address/);
  }
});

test('given a port alone, then it is one of the addresses of the service, and one that is taken names the setting', async () => {
  const port = await freePort();
  const stack = new Stack();
  const parts = { metrics: exposition, logger: silentLogger, stack };
  await listenForMetrics(read(String(port)), parts);
  assert.is(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'metric 1\n');
  const refused = await rejectionOf(listenForMetrics(read(String(port)), parts));
  assert.is(refused.message, `port ${port} of 127.0.0.1 is in use: set HOLDFAST_METRICS_ADDRESS to another`);
  await stack.stop();
});

test('given metrics that cannot be put together, then 503, and the next request is answered', async () => {
  const port = await freePort();
  const stack = new Stack();
  let fails = true;
  const text = () => (fails ? Promise.reject(new Error('no answer')) : exposition.text());
  await listenForMetrics(read(String(port)), {
    metrics: { contentType: 'text/plain', text },
    logger: silentLogger,
    stack,
  });
  assert.is((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 503);
  fails = false;
  assert.is((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200);
  await stack.stop();
});

test.run();
