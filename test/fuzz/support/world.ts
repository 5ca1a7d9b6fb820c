import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runHoldfast } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { request } from '#test/support/service.ts';
import type { Operation } from '#test/fuzz/support/document.ts';
import type { KeyChoice } from '#test/fuzz/support/requests.ts';

type Application = { id: string; key: string };
type Wanted = { type: string; permissions: readonly string[]; rules?: readonly object[] };
type Permission = { type: string; application_types: string[] };

/** The keys by which requests are made, renewed now and then: requests delete applications and change rights. */
export class Keys {
  readonly #service: ServiceProcess;
  readonly #foreign: string;
  readonly #permissions: readonly Permission[];
  #applications: (Application & Wanted)[] = [];

  private constructor(service: ServiceProcess, foreign: string, permissions: readonly Permission[]) {
    this.#service = service;
    this.#foreign = foreign;
    this.#permissions = permissions;
  }

  static async make(service: ServiceProcess, environment: Record<string, string>): Promise<Keys> {
    const { management } = service.credentials;
    const { body } = await request<Permission[]>(service, 'GET', '/permissions', { key: management });
    const tenant = await runHoldfast(['tenant', 'create', 'Foreign'], environment);
    const foreign = /management key {2}(key_\S+)/.exec(tenant.out)?.[1];
    if (foreign === undefined) throw new Error(`no second tenant could be made: ${tenant.err}`);
    const keys = new Keys(service, foreign, body);
    await keys.renew();
    return keys;
  }

  /** What requests must not name, because the run stands on it: the application that makes the others, and its keys. */
  async protected(): Promise<string[]> {
    const key = this.#service.credentials.management;
    const application = await request<{ id: string }>(this.#service, 'GET', '/applications/key', { key });
    const keys = await request<{ id: string }[]>(
      this.#service,
      'GET',
      `/applications/${application.body.id}/keys`,
      { key },
    );
    return [application.body.id, ...keys.body.map(({ id }) => id)];
  }

  /** Applications with every right, with rules that reveal, and with hardly any right. */
  async renew(): Promise<void> {
    const everything = { priority: 1, container: '/', transform: 'reveal', description: 'everything' };
    const wanted = [
      ...['private', 'public', 'management'].map((type) => ({
        type,
        permissions: this.#permissionsOf(type),
      })),
      { type: 'private', permissions: ['token:read'] },
    ];
    const made = wanted.map((application) => this.#create(application));
    const permissions = ['token:read', 'token:use', 'token:search'];
    const ruled = this.#create({ type: 'private', permissions: [], rules: [{ ...everything, permissions }] });
    this.#applications = await Promise.all([
      ...made,
      ruled.then((application) => ({ ...application, permissions })),
    ]);
  }

  /** Chooses a key; those that may do it are preferred where that is asked for. */
  choose(kind: KeyChoice, { authenticated, permission }: Operation, choice: number): string | undefined {
    if (!authenticated || kind === 'none') return undefined;
    if (kind === 'garbage') return `key_${'x'.repeat(choice % 60)}`;
    const fitting = this.#applications.filter(
      ({ permissions }) => permission === undefined || permissions.includes(permission),
    );
    const all = [...this.#applications.map(({ key }) => key), this.#foreign];
    const from = kind === 'fitting' && fitting.length > 0 ? fitting.map(({ key }) => key) : all;
    return from[choice % from.length];
  }

  #permissionsOf(type: string): string[] {
    return this.#permissions
      .filter(({ application_types }) => application_types.includes(type))
      .map((permission) => permission.type)
      .filter((permission) => permission !== 'tenant:delete');
  }

  async #create(application: Wanted): Promise<Application & Wanted> {
    const { status, body } = await request<Application>(this.#service, 'POST', '/applications', {
      key: this.#service.credentials.management,
      body: { name: `fuzz ${application.type}`, ...application },
    });
    if (status !== 201) {
      throw new Error(`an application could not be made: ${status} ${JSON.stringify(body)}`);
    }
    return { ...body, ...application };
  }
}

export type Sink = { url: string; close(): Promise<void> };

/** Takes what the service sends out: to providers, webhooks, callbacks. */
export async function startSink(): Promise<Sink> {
  const server = createServer((incoming, response) => {
    incoming
      .resume()
      .on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
