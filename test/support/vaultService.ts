import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFullApplication } from '#commands/application/create.ts';
import { createTenant } from '#commands/tenant/create.ts';
import type { ApplicationType } from '#domain/application/events.ts';
import type { App } from '#http/app.ts';
import { createMetrics } from '#http/metrics.ts';
import { listen } from '#http/server.ts';
import type { Logger } from '#ports/logger.ts';
import { readConfig } from '#src/config.ts';
import { serviceOf } from '#src/main/appOf.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { createPaymentProviders } from '#src/main/paymentProviders.ts';
import { systemContext } from '#commands/systemContext.ts';
import { startWorker } from '#src/main/worker.ts';
import type { JobSettings } from '#src/main/worker.ts';
import { randomId } from '#src/identifiers.ts';
import type { WebhookSettings } from '#src/main/webhookWork.ts';
import type { Outbound } from '#ports/outbound.ts';
import type { Reactors } from '#src/reactors/invocation.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

/** What came back for a request. Bodies are whatever JSON the service sent. */
export type Reply<Body = Record<string, never>> = { status: number; body: Body; headers: Headers };

export type VaultService = {
  composition: Composition;
  app: App;
  /** Where it listens. */
  url: string;
  tenantId: string;
  keys: Record<ApplicationType, string>;
  /** With the private key unless another is given; bytes go out as they are. */
  call<Body = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    options?: { key?: string; contentType?: string; headers?: Record<string, string> },
  ): Promise<Reply<Body>>;
  /** The key of a new private application with these rules, in their order. */
  ruledKey(...rules: readonly object[]): Promise<string>;
  /** Keys of another tenant in the same database. */
  anotherTenant(): Promise<Record<ApplicationType, string>>;
  /** Ends what works behind the requests. */
  stopWorker(): Promise<void>;
  close(): Promise<void>;
};

export type VaultServiceOptions = {
  /** Settings beside the data directory. */
  environment?: Record<string, string>;
  reactors?: Reactors;
  /** In place of the one that the settings make. */
  outbound?: Outbound;
  logger?: Logger;
  invocations?: JobSettings;
  webhooks?: WebhookSettings;
};

const sizes = { owner: 4, api: 4, vault: 4, log: 4 };
const actor = { type: 'system', id: 'test' } as const;

/** The service in this process, on a database of its own, with a tenant: for tests of what it answers. */
export async function startVaultService({
  environment = {},
  reactors,
  outbound,
  logger = silentLogger,
  invocations,
  webhooks,
}: VaultServiceOptions = {}): Promise<VaultService> {
  const database = await createTestDatabase();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const config = readConfig({
    HOLDFAST_DATA_DIR: dataDirectory,
    HOLDFAST_RATE_LIMITS: 'off',
    ...environment,
  });
  const composed = await compose(config, database.connection, logger, {
    sizes,
    serves: true,
  });
  const composition =
    outbound === undefined
      ? composed
      : { ...composed, outbound, paymentProviders: createPaymentProviders({ ...composed, outbound }) };
  const service = serviceOf(composition, { readiness: [], metrics: createMetrics(), reactors });
  const { app } = service;
  const worker = startWorker(composition, service.reactors, invocations, webhooks);
  let stopped: Promise<void> | undefined;
  const stopWorker = (): Promise<void> => (stopped ??= worker.stop());
  await worker.viewsBuilt();
  const tenantId = randomId();
  const keys = await createTenantWithKeys(composition, tenantId);
  const listening = await listen({ app, hosts: ['127.0.0.1'], port: 0 });
  const url = `http://127.0.0.1:${listening.port}`;
  const call: VaultService['call'] = async (
    method,
    path,
    body,
    { key = keys.private, contentType, headers } = {},
  ) => {
    const type = contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'BT-API-KEY': key, ...(body === undefined ? {} : { 'Content-Type': type }), ...headers },
      body: body === undefined ? null : body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : isJson(response) ? JSON.parse(text) : text,
    };
  };
  return {
    composition,
    app,
    url,
    tenantId,
    keys,
    call,
    ruledKey: async (...rules) => {
      const application = {
        name: 'ruled',
        type: 'private',
        rules: rules.map((rule, index) => ({ priority: index + 1, transform: 'mask', ...rule })),
      };
      const reply = await call<{ key: string }>('POST', '/applications', application, {
        key: keys.management,
      });
      if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
      return reply.body.key;
    },
    anotherTenant: () => createTenantWithKeys(composition, randomId()),
    stopWorker,
    close: async () => {
      await listening.close();
      await stopWorker();
      await composition.close();
      await database.drop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

const isJson = ({ headers }: Response): boolean => headers.get('Content-Type')?.includes('json') ?? true;

async function createTenantWithKeys(
  composition: Composition,
  tenantId: string,
): Promise<Record<ApplicationType, string>> {
  await createTenant(composition, systemContext(tenantId, actor), 'test');
  const keyOf = async (type: ApplicationType): Promise<string> => {
    const key = composition.credentials.generate(type);
    await createFullApplication(composition, systemContext(tenantId, actor), { name: type, type, key });
    return key;
  };
  return {
    public: await keyOf('public'),
    private: await keyOf('private'),
    management: await keyOf('management'),
  };
}
