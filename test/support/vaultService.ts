import { createFullApplication } from '#commands/application/create.ts';
import { createTenant } from '#commands/tenant/create.ts';
import type { ApplicationType } from '#domain/application/events.ts';
import type { App } from '#http/app.ts';
import type { Composition } from '#src/main/compose.ts';
import { systemContext } from '#commands/systemContext.ts';
import { randomId } from '#src/identifiers.ts';
import { counted } from '#test/support/helperCosts.ts';
import { startOwnService } from '#test/support/ownService.ts';
import type { OwnService, OwnServiceOptions } from '#test/support/ownService.ts';
import { borrowShared } from '#test/support/shared.ts';

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
  /** Ends what works behind the requests. @throws in a service that is shared */
  stopWorker(): Promise<void>;
  close(): Promise<void>;
};

export type VaultServiceOptions = OwnServiceOptions & {
  /**
   * For tests that stop, break or watch the whole service or its database. Without it, and without what cannot be
   * shared, files with the same settings share a service, each in a tenant of its own.
   */
  alone?: boolean;
};

const actor = { type: 'system', id: 'test' } as const;

/** The service in this process, with a new tenant: for tests of what it answers. */
export async function startVaultService({
  alone = false,
  ...options
}: VaultServiceOptions = {}): Promise<VaultService> {
  const { environment = {}, ...others } = options;
  const shared = !alone && Object.values(others).every((value) => value === undefined);
  const { service, close } = shared ? await borrowService(environment) : await ownService(options);
  return { ...(await inNewTenant(service)), close };
}

type Borrowed = { service: OwnService; close(): Promise<void> };

async function borrowService(environment: Record<string, string>): Promise<Borrowed> {
  const name = `service ${JSON.stringify(environment)}`;
  const { thing, giveBack } = await borrowShared(name, () =>
    counted('shared service', () => startOwnService({ environment })),
  );
  const stopWorker = (): Promise<void> =>
    Promise.reject(new Error('a shared service goes on working: start this one with { alone: true }'));
  return { service: { ...thing, stopWorker }, close: giveBack };
}

async function ownService(options: OwnServiceOptions): Promise<Borrowed> {
  const service = await counted('own service', () => startOwnService(options));
  return { service, close: () => service.close() };
}

async function inNewTenant({
  composition,
  app,
  url,
  stopWorker,
}: OwnService): Promise<Omit<VaultService, 'close'>> {
  const tenantId = randomId();
  const keys = await createTenantWithKeys(composition, tenantId);
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
