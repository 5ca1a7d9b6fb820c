import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundle } from '#test/sdk/support/bundle.ts';
import { startBrowser } from '#test/support/browser.ts';
import type { RunningBrowser } from '#test/support/browser.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = {
  service: VaultService;
  chromium: RunningBrowser;
  shop: Server;
  page: Page;
  /** The library speaks plain HTTP to the name localhost only. */
  api: string;
  origin: string;
};

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

const browser = suite<Context>('basis-theory-js in Chromium, on a page of another origin');

browser.before(async (context) => {
  [context.service, context.chromium] = await Promise.all([startVaultService(), startBrowser()]);
  const script = bundle('@basis-theory/basis-theory-js', 'BasisTheoryJs');
  context.shop = createServer(({ url }, response) => {
    const isScript = url === '/library.js';
    response.setHeader('Content-Type', `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`);
    response.end(isScript ? script : '<!doctype html><script src="/library.js"></script>');
  });
  await new Promise<void>((resolve) => context.shop.listen(0, '127.0.0.1', resolve));
  context.origin = `http://127.0.0.1:${(context.shop.address() as AddressInfo).port}`;
  context.api = `http://localhost:${new URL(context.service.url).port}`;
  context.page = await context.chromium.browser.newPage();
  const errors: Error[] = [];
  context.page.on('pageerror', (error) => errors.push(error));
  await context.page.goto(context.origin);
  assert.equal(errors, []);
});

browser.after(async ({ chromium, shop, service }) => {
  await chromium.close();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
  await service.close();
});

type Call = { key: string; operation: string; parameters?: unknown[] };

/** Whatever JSON the page made of what the library answered, or threw. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Outcome = any;

/** Calls the library in the page: `tokens.create` with parameters. What it throws comes back as status and problem. */
const inPage = ({ page, api }: Context, { key, operation, parameters = [] }: Call): Promise<Outcome> =>
  page.evaluate(
    `(async ({ api, key, operation, parameters }) => {
      const client = await new BasisTheoryJs.BasisTheory().init(key, { apiBaseUrl: api });
      const path = operation.split('.');
      const method = path.pop();
      const target = path.reduce((object, name) => object[name], client);
      try {
        return await target[method](...parameters);
      } catch (error) {
        return { status: error.status, problem: error.data, message: error.message };
      }
    })(${JSON.stringify({ api, key, operation, parameters })})`,
  );

browser('given a public key, when a page creates a card, then it has the token', async (context) => {
  const { service } = context;
  const parameters = [{ type: 'card', data: card }];
  const token = await inPage(context, { key: service.keys.public, operation: 'tokens.create', parameters });
  assert.is(token.type, 'card');
  const read = await service.call('GET', `/tokens/${String(token.id)}`);
  assert.is(read.status, 200);
});

browser('given a public key, when a page tokenizes, then it has the shape with tokens', async (context) => {
  const parameters = [{ first: { type: 'token', data: 'secret' }, list: ['a'] }];
  const call = { key: context.service.keys.public, operation: 'tokenize', parameters };
  const tokens = await inPage(context, call);
  assert.is(tokens.first.type, 'token');
  assert.match(tokens.list[0], /^[0-9a-f-]{36}$/);
});

browser('given a session, when it is authorized, then the page reveals that one card', async (context) => {
  const { service } = context;
  const { body: token } = await service.call<{ id: string }>('POST', '/tokens', { type: 'card', data: card });
  const { sessionKey, nonce } = await inPage(context, {
    key: service.keys.public,
    operation: 'sessions.create',
  });
  const read = { key: sessionKey, operation: 'tokens.retrieve', parameters: [token.id] };
  assert.is((await inPage(context, read)).status, 401);
  const server = await service.ruledKey({ container: '/', transform: 'reveal', permissions: ['token:read'] });
  const rule = {
    priority: 1,
    transform: 'reveal',
    permissions: ['token:read'],
    conditions: [{ attribute: 'id', operator: 'equals', value: token.id }],
  };
  const authorized = await service.call(
    'POST',
    '/sessions/authorize',
    { nonce, rules: [rule] },
    { key: server },
  );
  assert.is(authorized.status, 200);
  const revealed = await inPage(context, read);
  assert.is(revealed.data.number, card.number);
  assert.is(revealed.data.cvc, card.cvc);
});

browser(
  'given a server that sees masks, when it lends as the guide on displaying cards does, then the page reveals',
  async (context) => {
    const { service } = context;
    const settings = { name: 'shop', settings: { sessions_may_reveal: 'true' } };
    await service.call('PUT', '/tenants/self', settings, { key: service.keys.management });
    const server = await service.ruledKey({
      container: '/pci/',
      transform: 'mask',
      permissions: ['token:read'],
    });
    const { body: token } = await service.call<{ id: string }>('POST', '/tokens', {
      type: 'card',
      data: card,
    });
    const { sessionKey, nonce } = await inPage(context, {
      key: service.keys.public,
      operation: 'sessions.create',
    });
    const rule = {
      description: 'Display the card',
      priority: 1,
      conditions: [{ attribute: 'id', operator: 'equals', value: token.id }],
      permissions: ['token:read'],
      transform: 'reveal',
    };
    const authorized = await service.call(
      'POST',
      '/sessions/authorize',
      { nonce, rules: [rule] },
      { key: server },
    );
    assert.is(authorized.status, 200, JSON.stringify(authorized.body));
    const read = { key: sessionKey, operation: 'tokens.retrieve', parameters: [token.id] };
    assert.is((await inPage(context, read)).data.number, card.number);
  },
);

browser('given a mistake, then the page reads the problem', async (context) => {
  const parameters = [{ type: 'card', data: { number: '4242' } }];
  const refused = await inPage(context, {
    key: context.service.keys.public,
    operation: 'tokens.create',
    parameters,
  });
  assert.is(refused.status, 400);
  assert.ok(Object.keys(refused.problem.errors).length > 0, JSON.stringify(refused));
});

browser(
  'given origins that are others, then the page reads that it is refused; given its own, then not',
  async (context) => {
    const { service, origin } = context;
    const parameters = [{ type: 'token', data: 'secret' }];
    for (const [origins, status] of [
      [['https://shop.example'], 403],
      [['https://shop.example', origin], undefined],
    ] as const) {
      const application = { name: 'shop', type: 'public', permissions: ['token:create'], origins };
      const made = await service.call<{ key: string }>('POST', '/applications', application, {
        key: service.keys.management,
      });
      const created = await inPage(context, { key: made.body.key, operation: 'tokens.create', parameters });
      assert.is(created.status, status);
      if (status === undefined) assert.ok(created.id);
    }
  },
);

browser('given a private key, then the page cannot read any answer', async (context) => {
  const refused = await inPage(context, { key: context.service.keys.private, operation: 'tokens.list' });
  assert.is(refused.problem ?? undefined, undefined);
  assert.is(refused.message, 'Network Error');
});

browser(
  'given an answer, then the page may read its trace id and how it stands',
  async ({ page, api, service }) => {
    const names = await page.evaluate(
      `fetch('${api}/tokens', { headers: { 'BT-API-KEY': '${service.keys.public}' } })
      .then(({ headers }) => [...headers.keys()])`,
    );
    assert.ok((names as string[]).includes('bt-trace-id'), String(names));
  },
);

browser.run();
