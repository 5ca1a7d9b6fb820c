import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ifThere } from '#infra/storage/files/places.ts';

export type Credentials = { tenant_id: string; management: string; private: string; public: string };

export type ServiceProcess = {
  child: ChildProcess;
  port: number;
  url: string;
  credentials: Credentials;
  dataDirectory: string;
  /** All it has said so far, on both channels. */
  said(): string;
  /** Sends a signal and waits for the end. Answers the exit code; null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/** How a process that was expected to serve ended instead. */
export class NotStarted extends Error {
  readonly code: number | null;
  readonly said: string;
  constructor(code: number | null, said: string) {
    super(`the service ended with ${code}: ${said}`);
    this.code = code;
    this.said = said;
  }
}

export const program = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url));

export const newDataDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'holdfast-test-'));

export const removeDataDirectory = (path: string): Promise<void> =>
  // A server that was just told to end may write a last file; the runner finds one that stays.
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

/**
 * Starts the service as a user does, as a process tree of its own, and waits until it is ready. Tests make more
 * requests than a client may, so nothing is limited unless they say so.
 * @throws NotStarted
 */
export async function startService(
  dataDirectory: string,
  environment: Record<string, string> = {},
): Promise<ServiceProcess> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(process.execPath, [program, 'start'], {
    env: {
      ...cleanEnvironment(),
      PORT: '0',
      LOG_LEVEL: 'warn',
      HOLDFAST_DATA_DIR: dataDirectory,
      HOLDFAST_RATE_LIMITS: 'off',
      ...environment,
    },
  });
  let said = '';
  const listen = (chunk: Buffer): void => {
    said += chunk.toString();
    const port = /is ready on [^ ]*:(\d+)/.exec(said)?.[1];
    if (port !== undefined) resolve(Number(port));
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const ended = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      done(code);
      reject(new NotStarted(code, said));
    });
  });
  const port = await promise;
  return {
    child,
    port,
    url: `http://127.0.0.1:${port}`,
    credentials: await credentialsIn(dataDirectory),
    dataDirectory,
    said: () => said,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** None of a service that was restored: whoever asks it has those of before. */
async function credentialsIn(dataDirectory: string): Promise<Credentials> {
  const text = await ifThere(readFile(join(dataDirectory, 'dev-credentials.json'), 'utf8'));
  if (text === undefined) return { tenant_id: '', management: '', private: '', public: '' };
  return JSON.parse(text) as Credentials;
}

/** Runs the command line to its end, in a directory where one is given. */
export async function runHoldfast(
  words: readonly string[],
  environment: Record<string, string>,
  directory = process.cwd(),
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: directory,
    env: { ...cleanEnvironment(), ...environment },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, ...said };
}

export type Answer<Body> = { status: number; body: Body; headers: Headers };

/** One request with a JSON body. A connection of its own reaches any of the API processes. */
export async function request<Body = Record<string, unknown>>(
  service: { url: string },
  method: string,
  path: string,
  {
    key,
    body,
    type,
    headers,
  }: { key: string; body?: unknown; type?: string; headers?: Record<string, string> },
): Promise<Answer<Body>> {
  const contentType = type ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      'BT-API-KEY': key,
      Connection: 'close',
      ...(body === undefined ? {} : { 'Content-Type': contentType }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Body,
  };
}

/**
 * What the machine's user has set must not reach the service under test. Code that was compiled for one does for all,
 * which saves a third of their processor time.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  };
}
