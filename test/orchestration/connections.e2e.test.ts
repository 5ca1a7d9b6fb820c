import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  connect,
  faults,
  list,
  sandboxConnection,
  send,
  settled,
  statusOf,
} from '#test/orchestration/support/connections.ts';
import type { Connection } from '#test/orchestration/support/connections.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const connections = suite<{ service: VaultService }>('connections');

connections.before(async (context) => {
  context.service = await startVaultService();
});
connections.after(({ service }) => service.close());

/** A body as answers show it: without its fields, and what else they leave out. */
const without = (body: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'fields' && !names.includes(name)));

connections(
  'given a body with all that is required, when it is sent, then there is a pending connection, soon available',
  async ({ service }) => {
    const reply = await send(service, 'POST', '', sandboxConnection);
    assert.is(reply.status, 201);
    const { id } = reply.body;
    assert.equal(reply.body, {
      ...without(sandboxConnection, 'method'),
      id,
      status: 'pending',
      three_d_secure_enabled: true,
    });
    await settled(service, id, 'available');
    const [newest] = await list(service);
    assert.equal(newest, { ...reply.body, status: 'available', method: 'card' });
  },
);

connections(
  'given credentials that the provider refuses, then the connection has failed',
  async ({ service }) => {
    const { id } = await connect(service, { fields: [{ key: 'merchant_id', value: 'fail' }] });
    await settled(service, id, 'failed');
    const fixed = { ...sandboxConnection, fields: [{ key: 'merchant_id', value: 'right' }] };
    assert.is((await send(service, 'PUT', `/${id}`, fixed)).body.status, 'pending');
    await settled(service, id, 'available');
  },
);

connections('given the short id of a formula, then the connection has the long one', async ({ service }) => {
  const stripe = { connection_formula_id: 'stripe', fields: [{ key: 'private_key', value: 'any' }] };
  assert.is((await connect(service, stripe)).connection_formula_id, 'stripe-card');
});

connections('given both ways to update, then each replaces all but the formula', async ({ service }) => {
  const { id } = await connect(service);
  await settled(service, id, 'available');
  for (const verb of ['PUT', 'POST']) {
    const changed = {
      ...sandboxConnection,
      display_name: verb,
      accepted_countries: ['DE', 'FR', 'DE'],
      accepted_currencies: ['EUR'],
      active: verb === 'PUT',
    };
    const reply = await send(service, verb, `/${id}`, changed);
    assert.is(reply.status, 200);
    const wanted = {
      ...without(changed),
      accepted_countries: ['DE', 'FR'],
      id,
      three_d_secure_enabled: true,
    };
    // The fields are the same, so nobody has to look at them again.
    assert.equal(reply.body, { ...wanted, status: 'available' });
    assert.equal(
      (await list(service)).find((one) => one.id === id),
      reply.body,
    );
  }
  const silent = { ...sandboxConnection, fields: [], active: undefined };
  const kept = await send(service, 'PUT', `/${id}`, silent);
  assert.equal([kept.status, kept.body.active, kept.body.status], [200, false, 'available']);
});

connections('given a list by GET and by PUT, then it is an array, newest first', async ({ service }) => {
  const made = [await connect(service), await connect(service)].map(({ id }) => id);
  for (const verb of ['GET', 'PUT']) {
    const reply = await send<Connection[]>(service, verb, '');
    assert.is(reply.status, 200);
    assert.equal(
      reply.body.slice(0, 2).map(({ id }) => id),
      made.reverse(),
    );
    made.reverse();
  }
});

connections(
  'given a deletion, then the connection is gone and nothing brings it back',
  async ({ service }) => {
    const { id } = await connect(service);
    const reply = await send(service, 'DELETE', `/${id}`);
    assert.equal([reply.status, reply.body], [204, {}]);
    assert.is(await statusOf(service, id), undefined);
    for (const verb of ['PUT', 'POST']) {
      assert.is((await send(service, verb, `/${id}`, sandboxConnection)).status, 404);
    }
    assert.is((await send(service, 'DELETE', `/${id}`)).status, 404);
    assert.is((await send(service, 'DELETE', '/no-such')).status, 404);
  },
);

connections('given a body that lacks something, then it is named', async ({ service }) => {
  for (const name of Object.keys(sandboxConnection).filter((one) => one !== 'active')) {
    for (const [verb, path] of [
      ['POST', ''],
      ['PUT', `/${(await connect(service)).id}`],
    ] as const) {
      assert.equal(Object.keys(await faults(service, { [name]: undefined }, [verb, path])), [name]);
    }
  }
  const { connection_formula_id } = await faults(service, { connection_formula_id: 'nobody-card' });
  assert.equal(connection_formula_id, ['must be the id of a connection formula']);
  const later = await faults(service, { connection_formula_id: 'braintree-card' });
  assert.equal(later, {
    connection_formula_id: ['names a connection formula that is not available yet'],
  });
});

connections(
  'given fields that the formula does not know, lacks or doubts, then each is named',
  async ({ service }) => {
    const entry = (key: string, value = 'x') => ({ key, value });
    const of = async (...fields: object[]) => Object.keys(await faults(service, { fields })).sort();
    assert.equal(await of(), ['fields']);
    assert.equal(await of(entry('secret_of_mine')), ['fields', 'fields[0].key']);
    assert.equal(await of(entry('merchant_id'), entry('merchant_id', 'y')), ['fields[1].key']);
    assert.equal(await of(entry('merchant_id', ' ')), ['fields[0].value']);
    assert.equal(await of({ key: 'merchant_id' }), ['fields[0].value']);
    assert.equal(await of(entry('merchant_id', 'x'.repeat(10_001))), ['fields[0].value']);
    const messages = await faults(service, { fields: [entry('secret_of_mine', 'secret of mine')] });
    assert.not.ok(JSON.stringify(messages).includes('secret'));
    const adyen = { connection_formula_id: 'adyen-card', fields: [entry('api_key')] };
    assert.equal(await faults(service, adyen), { fields: ["must have an entry 'merchant_account'"] });
  },
);

connections('given other values that cannot be, then each is named', async ({ service }) => {
  const wrong: [object, string[]][] = [
    [{ method: 'bank' }, ['method']],
    [{ display_name: '' }, ['display_name']],
    [{ display_name: 'x'.repeat(201) }, ['display_name']],
    [{ active: 'yes' }, ['active']],
    [{ accepted_countries: [] }, ['accepted_countries']],
    [{ accepted_countries: ['us', 'ZZ'] }, ['accepted_countries[0]']],
    [{ accepted_countries: ['US', 'ZZ'] }, ['accepted_countries[1]']],
    [{ accepted_currencies: ['USD', 'ZZZ'] }, ['accepted_currencies[1]']],
    [{ accepted_currencies: 'USD' }, ['accepted_currencies']],
  ];
  for (const [attributes, paths] of wrong) {
    assert.equal(Object.keys(await faults(service, attributes)), paths, JSON.stringify(attributes));
  }
  const stripe = { connection_formula_id: 'stripe-card', fields: [{ key: 'private_key', value: 'x' }] };
  const made = { ...stripe, accepted_countries: ['ZZ'], accepted_currencies: ['ZZZ'] };
  assert.equal(await faults(service, made), {
    'accepted_countries[0]': ['must be a country of ISO 3166-1, such as US'],
    'accepted_currencies[0]': ['must be a currency of ISO 4217, such as USD'],
  });
  assert.equal(await faults(service, { ...stripe, accepted_currencies: ['USD', 'ISK'] }), {
    'accepted_currencies[1]': ['is not supported by the formula'],
  });
});

connections(
  'given another formula or an empty required field, when it is updated, then it is 400',
  async ({ service }) => {
    const { id } = await connect(service);
    const put = ['PUT', `/${id}`] as [string, string];
    const stripe = { connection_formula_id: 'stripe-card', fields: [{ key: 'private_key', value: 'x' }] };
    assert.equal(Object.keys(await faults(service, stripe, put)), ['connection_formula_id']);
    const empty = { fields: [{ key: 'merchant_id', value: '' }] };
    assert.equal(Object.keys(await faults(service, empty, put)), ['fields[0].value']);
  },
);

connections('given keys without the permission, then 403', async ({ service }) => {
  const { id } = await connect(service);
  const key = await service.ruledKey({ container: '/', permissions: ['token:read'] });
  const requests: [string, string, unknown?][] = [
    ['POST', '', sandboxConnection],
    ['GET', ''],
    ['PUT', ''],
    ['PUT', `/${id}`, sandboxConnection],
    ['POST', `/${id}`, sandboxConnection],
    ['DELETE', `/${id}`],
  ];
  for (const [verb, path, body] of requests) {
    for (const unfit of [key, service.keys.public]) {
      assert.is((await send(service, verb, path, body, unfit)).status, 403, `${verb} ${path}`);
    }
  }
  assert.is((await send(service, 'GET', '', undefined, service.keys.management)).status, 200);
});

type Formula = { id: string; available: boolean; fields: Record<string, unknown>[] };

connections(
  'given either path of the formulas, then all are listed, and which are available',
  async ({ service }) => {
    for (const path of ['/orchestration/connection_formulas', '/orchestration/connection/formulas']) {
      const { status, body } = await service.call<Formula[]>('GET', path);
      assert.is(status, 200);
      assert.is(body.length, 19);
      assert.equal(
        body.filter(({ available }) => available).map(({ id }) => id),
        ['adyen-card', 'sandbox-card', 'stripe-card'],
      );
      assert.equal(body.find(({ id }) => id === 'stripe-card')?.fields[0], {
        key: 'private_key',
        display_name: 'Private API Key',
        required: true,
        format: 'text',
        secret: true,
      });
      assert.is((await service.call('GET', path, undefined, { key: service.keys.public })).status, 403);
    }
  },
);

connections.run();
