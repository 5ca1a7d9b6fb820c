import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHttpNetworks } from '#infra/networks/http/httpNetworks.ts';
import { CardNetworksFailed } from '#ports/cardNetworks.ts';
import type { CardBatch, CardBatchAnswer } from '#ports/cardNetworks.ts';
import { serveGateway } from '#test/networks/support/gateway.ts';
import type { GatewayCard, GatewayReply } from '#test/networks/support/gateway.ts';
import { reachingLoopback } from '#test/outbound/support/guard.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

const http = suite('networks by a gateway');

const batch: CardBatch = {
  id: '886313e1-3b8a-4372-9b90-0c9aee199e5d',
  tenantId: 'tenant',
  cards: [
    {
      network: 'visa',
      number: '4111111111111111',
      expiration: { month: 12, year: 2023 },
      merchantId: '1234',
    },
    {
      network: 'american_express',
      number: '378282246310005',
      expiration: { month: 1, year: 2030 },
      merchantId: '',
    },
  ],
};

async function ask(server: TestServer, asked = batch, signal?: AbortSignal): Promise<CardBatchAnswer> {
  const outbound = reachingLoopback();
  const networks = createHttpNetworks({
    outbound,
    url: `https://shop.example:${server.port}/updater`,
    apiKey: 'key of the gateway',
    pauses: { first: 1, longest: 5 },
  });
  try {
    return await networks.ask(asked, signal);
  } finally {
    await outbound.close();
    await server.close();
  }
}

async function failureOf(asking: Promise<unknown>): Promise<CardNetworksFailed> {
  const error = await rejectionOf(asking);
  assert.instance(error, CardNetworksFailed);
  return error as CardNetworksFailed;
}

const ok = (...results: object[]): GatewayReply => ({ status: 200, body: { results } });
const unchanged = (cards: readonly GatewayCard[]): GatewayReply => ok(...cards.map(({ id }) => ({ id })));

http('given a batch, when the gateway answers it, then each card has its answer, in any order', async () => {
  const server = await serveGateway(() =>
    ok(
      { id: 1, result_code: null, number: null, news: 'unknown members pass' },
      {
        id: 0,
        result_code: 'UPD_PAN',
        number: '4166676667666746',
        expiration_month: 2,
        expiration_year: 2031,
      },
    ),
  );
  assert.equal(await ask(server), {
    status: 'answered',
    answers: [
      { code: 'UPD_PAN', number: '4166676667666746', expiration: { month: 2, year: 2031 } },
      { code: undefined },
    ],
  });
  const [seen] = server.seen;
  assert.equal([seen?.method, seen?.url], ['PUT', `/updater/batches/${batch.id}`]);
  assert.is(seen?.headers.authorization, 'Bearer key of the gateway');
  assert.equal(JSON.parse(seen?.body ?? ''), {
    id: batch.id,
    cards: [
      {
        id: 0,
        network: 'visa',
        number: '4111111111111111',
        expiration_month: 12,
        expiration_year: 2023,
        merchant_id: '1234',
      },
      {
        id: 1,
        network: 'american_express',
        number: '378282246310005',
        expiration_month: 1,
        expiration_year: 2030,
        merchant_id: '',
      },
    ],
  });
});

http('given a gateway in trouble, when it recovers, then the same batch was asked under one id', async () => {
  const server = await serveGateway(
    () => ({ status: 503 }),
    () => 'hang up',
    () => ({ status: 429 }),
    unchanged,
  );
  assert.equal(await ask(server), {
    status: 'answered',
    answers: [{ code: undefined }, { code: undefined }],
  });
  assert.is(server.seen.length, 4);
  assert.is(new Set(server.seen.map(({ url, body }) => `${url ?? ''} ${body}`)).size, 1);
});

http(
  'given a gateway that stays in trouble, when five attempts failed, then it may be tried later',
  async () => {
    const server = await serveGateway(() => ({ status: 500, body: '4111111111111111' }));
    const failure = await failureOf(ask(server));
    assert.equal([failure.isTemporary, server.seen.length], [true, 5]);
    assert.is(failure.message, 'The card network gateway answered 500.');
  },
);

http('given a gateway that refuses, when it is asked, then it is asked once', async () => {
  for (const status of [400, 401, 404, 301]) {
    const server = await serveGateway(() => ({ status }));
    const failure = await failureOf(ask(server));
    assert.equal([failure.isTemporary, server.seen.length], [false, 1]);
  }
});

http('given a gateway that needs time, when it is asked, then it says when to ask again', async () => {
  const pending = (value?: string): Promise<TestServer> =>
    serveGateway(() => ({
      status: 202,
      ...(value === undefined ? {} : { headers: { 'retry-after': value } }),
    }));
  assert.equal(await ask(await pending('7')), { status: 'pending', milliseconds: 7000 });
  assert.equal(await ask(await pending()), { status: 'pending', milliseconds: 60_000 });
  assert.equal(await ask(await pending('soon')), { status: 'pending', milliseconds: 60_000 });
  assert.equal(await ask(await pending('999999999')), { status: 'pending', milliseconds: 86_400_000 });
});

http(
  'given an answer that is none, when it is read, then the batch fails, and no card is named',
  async () => {
    const bodies: unknown[] = [
      '',
      '4111111111111111',
      '[]',
      {},
      { results: [{ id: 0 }] },
      { results: [{ id: 0 }, { id: 0 }] },
      { results: [{ id: 0 }, { id: 2 }] },
      { results: [{ id: 0 }, { id: 1 }, { id: 2 }] },
      { results: [{ id: 0 }, { id: 1, number: 4 }] },
    ];
    for (const body of bodies) {
      const failure = await failureOf(ask(await serveGateway(() => ({ status: 200, body }))));
      assert.is(failure.message, 'The card network gateway gave an answer that cannot be read.');
    }
  },
);

http(
  'given answers that contradict themselves, when they are read, then it is an error of the card',
  async () => {
    const results = [
      { result_code: 'NEWS' },
      { result_code: 'UPD_PAN' },
      { result_code: 'UPD_PAN', number: '4111111111111112' },
      { result_code: 'UPD_PAN', number: '=cmd' },
      { result_code: 'UPD_EXP_DATE' },
      { result_code: 'UPD_EXP_DATE', expiration_month: 13, expiration_year: 2030 },
      { result_code: 'UPD_EXP_DATE', expiration_month: 12, expiration_year: 30 },
      { result_code: 'UPD_EXP_DATE', expiration_month: 12 },
    ];
    for (const result of results) {
      const outcome = await ask(await serveGateway(() => ok({ id: 0, ...result }, { id: 1 })));
      assert.equal(outcome.status === 'answered' && outcome.answers, [
        { code: 'ERR_UNDEFINED' },
        { code: undefined },
      ]);
    }
  },
);

http('given what is no update, when it brings a number, then the number is dropped', async () => {
  const body = { result_code: 'WRN_CLOSED_ACCOUNT', number: '4166676667666746' };
  const outcome = await ask(await serveGateway(() => ok({ id: 0, ...body }, { id: 1 })));
  assert.equal(outcome.status === 'answered' && outcome.answers[0], { code: 'WRN_CLOSED_ACCOUNT' });
});

http('given a call that is given up between attempts, then it ends with the reason', async () => {
  const controller = new AbortController();
  const server = await serveGateway(() => {
    controller.abort(new Error('stopping'));
    return { status: 503 };
  });
  const error = await rejectionOf(ask(server, batch, controller.signal));
  assert.is(error.message, 'stopping');
});

http.run();
