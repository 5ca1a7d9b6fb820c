import { connect } from 'node:net';
import type { AppDependencies } from '#http/app.ts';
import { createApp } from '#http/app.ts';
import { createMetrics } from '#http/metrics.ts';
import { openGate } from '#http/request/rateGate.ts';
import type { Route } from '#http/route.ts';
import { listen } from '#http/server.ts';
import type { Listening } from '#http/server.ts';
import type { AccessDirectory, Caller } from '#ports/accessDirectory.ts';
import type { Logger } from '#ports/logger.ts';
import { MemoryAudit, nothingKnown, systemClock } from '#test/http/support/memoryAudit.ts';
import { MemoryIdempotency } from '#test/http/support/memoryIdempotency.ts';
import { nothingParked } from '#test/http/support/nothingParked.ts';

export const key = 'key_test_private';
export const readerKey = 'key_test_reader';
export const ruledKey = 'key_test_ruled';

const caller = (number: number, rights: Pick<Caller, 'permissions' | 'rules'>): Caller => ({
  tenantId: '11111111-1111-4111-8111-111111111111',
  applicationId: `22222222-2222-4222-8222-22222222222${number}`,
  keyId: `33333333-3333-4333-8333-33333333333${number}`,
  type: 'private',
  tenantSettings: {},
  ...rights,
});

const callers = new Map([
  [key, caller(1, { permissions: ['token:create', 'token:read', 'token:update'], rules: [] })],
  [readerKey, caller(2, { permissions: ['token:read'], rules: [] })],
  [
    ruledKey,
    caller(3, {
      permissions: [],
      rules: [
        {
          description: '',
          priority: 1,
          container: '/pci/',
          transform: 'mask',
          permissions: ['token:create'],
        },
      ],
    }),
  ],
]);

const accessDirectory: Pick<AccessDirectory, 'find'> = {
  find: (given) => Promise.resolve(callers.get(given)),
};

export type LogLine = { level: string; fields: object; message: string };

export type Service = {
  url: string;
  port: number;
  listening: Listening;
  lines: LogLine[];
  audit: MemoryAudit;
  idempotency: MemoryIdempotency;
  /** A request with the key, and JSON as its content type when there is a body. */
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
  /** Bytes as they are, on a connection of their own; answers all that comes back. */
  raw(text: string): Promise<string>;
  close(): Promise<void>;
};

export type CallOptions = { body?: unknown; headers?: Record<string, string> };

export type Answered = { status: number; headers: Headers; text: string; body: Body };
/** Whatever JSON came back. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;

/** A service of a few routes on a free port, with real HTTP. */
export async function startService(
  routes: readonly Route[],
  changes: Partial<AppDependencies> = {},
): Promise<Service> {
  const lines: LogLine[] = [];
  const audit = new MemoryAudit();
  const idempotency = new MemoryIdempotency();
  const app = createApp({
    routes,
    accessDirectory,
    idempotency,
    audit,
    clock: systemClock,
    knowsToken: nothingKnown,
    logger: collecting(lines),
    publicUrl: 'http://localhost:3000',
    readiness: [],
    metrics: createMetrics(),
    rateLimits: openGate,
    views: nothingParked,
    trustedProxies: [],
    ...changes,
  });
  const listening = await listen({ app, hosts: ['127.0.0.1'], port: 0 });
  const url = `http://127.0.0.1:${listening.port}`;
  return {
    url,
    port: listening.port,
    listening,
    lines,
    audit,
    idempotency,
    call: (method, path, options) => call(`${url}${path}`, method, options),
    raw: (text) => raw(listening.port, text),
    close: () => listening.close(),
  };
}

async function call(url: string, method: string, { body, headers }: CallOptions = {}): Promise<Answered> {
  const bytes = body === undefined || body instanceof Uint8Array || typeof body === 'string';
  const response = await fetch(url, {
    method,
    headers: {
      'BT-API-KEY': key,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: bytes ? (body as RequestInit['body']) : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text || 'null') : text,
  };
}

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => {
      resolve(received);
    });
    socket.on('error', reject);
  });
}

function collecting(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
