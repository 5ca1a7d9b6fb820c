import { startDestination } from '#test/proxies/support/destination.ts';
import type { Destination } from '#test/proxies/support/destination.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { newDataDirectory, removeDataDirectory, runHoldfast, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Receiver } from '#test/webhooks/support/receiver.ts';
import { furnishBy } from '#test/access/support/estate.ts';
import type { Owned } from '#test/access/support/estate.ts';
import { Canaries } from '#test/canaries/support/canary.ts';

/** An answer as it came; `shows` where the caller has the right to what it holds. */
export type Answered = {
  request: string;
  /** Path, headers and body of the request. */
  sent: string;
  status: number;
  headers: string;
  text: string;
  shows: boolean;
};

export type Asking = {
  key?: string;
  body?: unknown;
  /** In place of the body, as it goes out. */
  raw?: string;
  headers?: Record<string, string>;
  shows?: boolean;
};

/** A service that canaries are sent to, and all that came out of it. */
export type Subject = {
  service: ServiceProcess;
  environment: Record<string, string>;
  /** How much it had said when it was ready: the keys of the development tenant are in that. */
  greeting: number;
  /** Where it keeps temporary files. */
  temporary: string;
  canaries: Canaries;
  answers: Answered[];
  owned: Owned;
  /** Where proxies lead. It may see what it is sent. */
  destination: Destination;
  /** Where webhooks deliver. It may see no canary. */
  receiver: Receiver;
  /** Keys with every permission that their type may have. */
  keys: VaultService['keys'];
  /** The key of an application that reads everything in the clear. */
  revealing: string;
  ask<Body = Record<string, never>>(method: string, path: string, asking?: Asking): Promise<Reply<Body>>;
  close(): Promise<void>;
};

/** Starts the program as its users do, with debug logs, and furnishes its tenant with canaries. */
export async function startSubject(): Promise<Subject> {
  const directory = await newPreparedDirectory();
  const temporary = await newDataDirectory();
  const environment = {
    HOLDFAST_DATA_DIR: directory,
    HOLDFAST_PROCESSES: '1',
    HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1',
    HOLDFAST_RATE_LIMITS: 'off',
    HOLDFAST_REACTOR_TIMEOUT: '2s',
    LOG_LEVEL: 'debug',
    TMPDIR: temporary,
  };
  const service = await startService(directory, environment);
  const greeting = service.said().length;
  const [destination, receiver] = await Promise.all([startDestination(), startReceiver()]);
  const { credentials } = service;
  const canaries = new Canaries();
  const answers: Answered[] = [];
  const ask: Subject['ask'] = async <Body>(method: string, path: string, asking: Asking = {}) => {
    const { key = credentials.private, body, raw, headers, shows = false } = asking;
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(new URL(path, service.url), {
      method,
      headers: {
        'BT-API-KEY': key,
        Connection: 'close',
        ...(sent === undefined ? {} : { 'Content-Type': type }),
        ...headers,
      },
      body: sent ?? null,
      redirect: 'manual',
    });
    const text = await response.text();
    const { status } = response;
    answers.push({
      request: `${method} ${path}`,
      sent: JSON.stringify([path, headers, key]) + (sent ?? ''),
      status,
      headers: JSON.stringify([...response.headers]),
      text,
      shows,
    });
    const isJson = text !== '' && (response.headers.get('Content-Type')?.includes('json') ?? false);
    return { status, headers: response.headers, body: (isJson ? JSON.parse(text) : {}) as Body };
  };
  const keys = {
    management: credentials.management,
    private: credentials.private,
    public: credentials.public,
  };
  const call: VaultService['call'] = (method, path, body, { key, headers } = {}) =>
    ask(method, path, {
      body,
      shows: true,
      ...(key === undefined ? {} : { key }),
      ...(headers === undefined ? {} : { headers }),
    });
  const owned = await furnishBy(
    { call, keys },
    {
      data: canaries.make('text', 'estate: data of a token'),
      number: canaries.make('card', 'estate: data of a card'),
      configuration: canaries.make('text', 'estate: configuration'),
      accept: async (id) => {
        const accepted = await runHoldfast(
          ['tenant', 'accept-invitation', credentials.tenant_id, id],
          environment,
        );
        const member = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(accepted.out.replaceAll(id, ''))?.[0];
        if (member === undefined) throw new Error(`the invitation was not accepted: ${accepted.err}`);
        return { id: member };
      },
    },
  );
  for (const [name, value] of Object.entries(keys)) {
    canaries.add({ kind: 'key', value, spot: `the ${name} key` });
  }
  const revealed = ['token:read', 'token:search', 'token:use', 'token:create', 'token:update'];
  const rule = { priority: 1, container: '/', transform: 'reveal', permissions: revealed };
  const { body: application } = await ask<{ key: string }>('POST', '/applications', {
    key: keys.management,
    body: { name: 'revealing', type: 'private', rules: [rule] },
    shows: true,
  });
  const revealing = canaries.add({
    kind: 'key',
    value: application.key,
    spot: 'POST /applications: its key',
  });
  return {
    ...{
      service,
      environment,
      greeting,
      temporary,
      canaries,
      answers,
      owned,
      destination,
      receiver,
      keys,
      revealing,
    },
    ask,
    close: async () => {
      await service.end();
      await destination.close();
      await receiver.close();
      await removeDataDirectory(directory);
      await removeDataDirectory(temporary);
    },
  };
}
