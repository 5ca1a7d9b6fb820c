import { constants, createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOutbound } from '#infra/outbound/outbound.ts';
import { ValidationFailed } from '#src/errors.ts';
import { retryDelays } from '#src/outgoing/schedule.ts';
import {
  eventsOf,
  fakeReactors,
  invoke,
  payloadsOf,
  problemJson,
  quick,
  startReceiver,
  typesOf,
} from '#test/reactors/support/invocations.ts';
import type { FakeReactors, Receiver } from '#test/reactors/support/invocations.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; reactors: FakeReactors; receiver: Receiver };

const callbacks = suite<Context>('callbacks of reactors');

callbacks.before(async (context) => {
  context.reactors = fakeReactors();
  context.service = await startVaultService({
    environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' },
    reactors: context.reactors,
    invocations: { ...quick, callbackDelays: Array<number>(10).fill(5) },
  });
});
callbacks.after(({ service }) => service.close());
callbacks.before.each(async (context) => {
  Object.assign(context.reactors, { ...fakeReactors(), run: context.reactors.run });
  context.receiver = await startReceiver();
});
callbacks.after.each(({ receiver }) => receiver.close());

const untilThere = (service: VaultService, id: string, type: string): Promise<boolean> =>
  until(async () => (await typesOf(service, id)).includes(type));

callbacks(
  'given a callback URL, when the run ends, then the bare result is posted there once and the URL is forgotten',
  async ({ service, receiver }) => {
    const id = await invoke(service, receiver.url, { amount: 7 });
    await untilThere(service, id, 'reactor.callback.delivered');
    assert.is(receiver.received.length, 1);
    const [received] = receiver.received;
    const [invoked] = await eventsOf(service, id);
    assert.equal([received?.method, received?.body], ['POST', '{"raw":{"amount":7}}']);
    assert.is(received?.headers['content-type'], 'application/json');
    assert.is(received?.headers['bt-trace-id'], invoked?.metadata.trace_id);
    const url = invoked?.data['callback_payload_id'];
    assert.type(url, 'string');
    await until(async () => (await payloadsOf(service, id)).length === 1);
    assert.not((await payloadsOf(service, id)).includes(String(url)));
    assert.not.match(JSON.stringify((await eventsOf(service, id)).map(({ data }) => data)), /127\.0\.0\.1/);
  },
);

callbacks(
  'given code that throws, when the run ends, then the problem is posted as it is',
  async ({ service, reactors, receiver }) => {
    const body = { status: 429, detail: 'Rate Limit Exceeded', errors: { error: ['slow down'] } };
    reactors.answer = () => Promise.resolve({ status: 429, headers: problemJson, body });
    const id = await invoke(service, receiver.url);
    await untilThere(service, id, 'reactor.callback.delivered');
    assert.equal(
      receiver.received.map((one) => JSON.parse(one.body) as unknown),
      [body],
    );
  },
);

callbacks(
  'given a receiver that fails twice, when it is called back, then it is tried until it accepts, and all is written down',
  async ({ service, receiver }) => {
    const statuses = [503, 302, 200];
    receiver.status = () => statuses.shift() ?? 500;
    const id = await invoke(service, receiver.url);
    await untilThere(service, id, 'reactor.callback.delivered');
    assert.equal(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [id, id, id],
    );
    const attempts = (await eventsOf(service, id)).filter(({ type }) => type.includes('.callback.'));
    assert.equal(
      attempts.map(({ type, data }) => [type, data['attempt'], data['outcome']]),
      [
        ['reactor.callback.deferred', 1, '503'],
        ['reactor.callback.deferred', 2, '302'],
        ['reactor.callback.delivered', 3, '200'],
      ],
    );
  },
);

callbacks(
  'given a receiver that never accepts, when ten retries are over, then it is given up, and the URL is forgotten',
  async ({ service, receiver }) => {
    receiver.status = () => 500;
    const id = await invoke(service, receiver.url);
    await untilThere(service, id, 'reactor.callback.failed');
    assert.is(receiver.received.length, 11);
    const types = await typesOf(service, id);
    assert.is(types.filter((type) => type === 'reactor.callback.deferred').length, 10);
    assert.is((await eventsOf(service, id)).at(-1)?.data['attempt'], 11);
    await until(async () => (await payloadsOf(service, id)).length === 1);
  },
);

callbacks(
  'given the public key that is served, when a callback arrives, then it is signed like a webhook, names in order',
  async ({ service, receiver }) => {
    const id = await invoke(service, receiver.url, { zebra: 1, amount: { b: 2, a: [3] } });
    await untilThere(service, id, 'reactor.callback.delivered');
    const [received] = receiver.received;
    assert.ok(received !== undefined);
    assert.is(received.body, '{"raw":{"amount":{"a":[3],"b":2},"zebra":1}}');
    const served = await service.call<string>('GET', '/keys/webhooks.v1.key', undefined, { key: '' });
    const key = createPublicKey(served.body);
    const { RSA_PKCS1_PSS_PADDING: padding } = constants;
    const signature = Buffer.from(String(received.headers['bt-signature']), 'base64');
    assert.is(received.headers['bt-signature-version'], 'v1');
    assert.ok(verify('sha256', Buffer.from(received.body), { key, padding }, signature));
  },
);

callbacks(
  'given a receiver that answers 410, when it is called back, then it is given up at once',
  async ({ service, receiver }) => {
    receiver.status = () => 410;
    const id = await invoke(service, receiver.url);
    await untilThere(service, id, 'reactor.callback.failed');
    assert.is(receiver.received.length, 1);
  },
);

callbacks(
  'given a receiver that asks for patience, when it is overloaded, then the next attempt is no earlier',
  async ({ service, receiver }) => {
    receiver.status = () => 429;
    receiver.headers = { 'Retry-After': '3600' };
    const id = await invoke(service, receiver.url);
    const began = Date.now();
    await untilThere(service, id, 'reactor.callback.deferred');
    const deferred = (await eventsOf(service, id)).at(-1);
    assert.ok(Date.parse(String(deferred?.data['next_at'])) >= began + 3_600_000);
  },
);

callbacks(
  'given the documented schedule, when it is added up, then it starts at 9 s and ends after 2.6 h',
  () => {
    assert.equal(retryDelays.slice(0, 3), [9_000, 18_000, 36_000]);
    assert.is(retryDelays.length, 10);
    assert.is(
      retryDelays.reduce((sum, delay) => sum + delay, 0),
      9_207_000,
    );
  },
);

callbacks(
  'given a receiver that fails, when the retry is due in nine seconds, then it waits in the database until then',
  async () => {
    const receiver = await startReceiver();
    receiver.status = () => 500;
    const service = await startVaultService({
      environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' },
      reactors: fakeReactors(),
      invocations: quick,
    });
    const id = await invoke(service, receiver.url);
    const waiting = await until(async () => {
      const { rows } = await service.composition.pools.owner.query<{ seconds: string; payload: object }>(
        `select extract(epoch from run_at - now()) as seconds, payload
         from graphile_worker._private_jobs where key = $1`,
        [`callback ${id} 2`],
      );
      return rows[0];
    });
    assert.ok(Number(waiting.seconds) > 7 && Number(waiting.seconds) <= 9, waiting.seconds);
    assert.equal(waiting.payload, { tenant_id: service.tenantId, id });
    assert.is(receiver.received.length, 1);
    await service.close();
    await receiver.close();
  },
);

callbacks(
  'given URLs that nothing may be sent to, when an invocation names one, then it is refused for its callback_url',
  async ({ service }) => {
    const refused = [
      'http://example.com/hook',
      'ftp://example.com/hook',
      '/hook',
      'example.com',
      '',
      'https://user:secret@example.com/',
      'https://localhost/hook',
      'https://10.0.0.1/hook',
      'https://[::1]/hook',
      'https://0x7f.1.1.1/hook',
      'https://169.254.169.254/latest/meta-data',
      `https://example.com/${'a'.repeat(2_048)}`,
    ];
    for (const url of refused) {
      try {
        await invoke(service, url);
        assert.unreachable(url);
      } catch (error) {
        assert.instance(error, ValidationFailed, url);
        assert.equal(Object.keys((error as ValidationFailed).faults), ['callback_url'], url);
      }
    }
    await invoke(service, `https://192.0.0.9.invalid/${'a'.repeat(2_000)}`);
  },
);

callbacks(
  'given a name that resolves to a forbidden address, when it is called back, then no connection is made',
  async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const outbound = createOutbound({ exceptions: [], resolver: { resolve, resolveHere: resolve } });
    const inner = await startVaultService({
      reactors: fakeReactors(),
      outbound,
      invocations: { ...quick, callbackDelays: [] },
    });
    const id = await invoke(inner, `https://hook.example:${port}/`);
    await untilThere(inner, id, 'reactor.callback.failed');
    assert.is((await eventsOf(inner, id)).at(-1)?.data['outcome'], 'refused_address');
    assert.is(connections, 0);
    await inner.close();
    await outbound.close();
    server.close();
  },
);

callbacks(
  'given react-async with a callback URL, then the answer is posted there, and can be asked for',
  async ({ service, receiver }) => {
    const key = { key: service.keys.management };
    const reactor = { name: 'r', code: 'module.exports = async () => ({ raw: 1 });' };
    const made = await service.call<{ id: string }>('POST', '/reactors', reactor, key);
    const path = `/reactors/${made.body.id}`;
    type Begun = { asyncReactorRequestId: string };
    const body = { args: { amount: 7 }, callback_url: receiver.url };
    const begun = await service.call<Begun>('POST', `${path}/react-async`, body);
    assert.is(begun.status, 202, JSON.stringify(begun.body));
    const id = begun.body.asyncReactorRequestId;
    await untilThere(service, id, 'reactor.callback.delivered');
    assert.is(receiver.received.length, 1);
    assert.is((await service.call('GET', `${path}/results/${id}`)).status, 200);
    const refused = await service.call<{ errors: object }>('POST', `${path}/react-async`, {
      args: {},
      callback_url: 'http://example.com',
    });
    assert.equal([refused.status, Object.keys(refused.body.errors)], [400, ['callback_url']]);
  },
);

callbacks.run();
