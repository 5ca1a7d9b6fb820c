import type ivm from 'isolated-vm';

/**
 * The border between a host process and the code in one of its isolates. Only strings, numbers and booleans cross
 * it. The script `runtime/kernel.cjs` evaluates to `boot`, which takes the callbacks in the order of {@link Callbacks}
 * and answers an object of the functions of {@link Kernel}.
 */
export type Callbacks = {
  /**
   * The id of the module that `request` means in module `from`; when there is none, '', or `!` and a sentence that
   * says why. `from` is '' for the tenant's code, which sees fewer. Synchronous.
   */
  resolve(from: string, request: string): string;
  /** The source of a module, CommonJS; of `file:` and a path, the base64 of a package's data, or ''. Synchronous. */
  source(id: string): string;
  /** Cryptography by the host's own: JSON in, JSON out; bytes are base64 there. Synchronous. */
  crypto(request: string): string;
  /**
   * Begins something that takes time; `settle` ends it. Ids are the kernel's, and are never used again.
   * - `timer`: the payload is milliseconds
   * - `fetch`: {@link FetchRequest}; it is answered by {@link FetchAnswer} or {@link FetchFailure}
   * - `bt`: {@link BtRequest}; it is answered by {@link BtAnswer}, and never fails
   * - `cancel`: the payload is the id of what is no longer waited for; it is not settled
   */
  send(id: number, kind: 'timer' | 'fetch' | 'bt' | 'cancel', payload: string): void;
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string): void;
};

export type Kernel = {
  /**
   * Runs the tenant's code once and keeps its export. @param configuration JSON
   * @param returns `message`: `headers`, `body` and `raw` are let out, else `raw` and `tokenize`
   * @returns `ready`, `not_a_function`, `does_not_compile` and a message behind a line break, or `t` and the JSON of
   * what was thrown
   */
  load(code: string, configuration: string, hasApplication: boolean, returns: string): string;
  /**
   * Calls the export. @param args JSON
   * @param isMessage names in `args.headers` are found in any spelling, and a message is expected back
   * @returns `r` and the JSON of what is let out, `t` and the JSON of what was thrown, or `l`: too large or too deep
   */
  invoke(args: string, isMessage: boolean): Promise<string>;
  /**
   * What the latest call of `load` or `invoke` returned or will. isolated-vm lets any of these calls fail by a
   * rejection inside that nobody had handled when the call's own work was done; the code runs on nevertheless. So
   * when `load` or `invoke` fails, and neither the time nor the isolate has ended, this is asked.
   */
  outcome(): Promise<string>;
  /** Ends what `send` began. A failure of this call means nothing, see {@link Kernel.outcome}. */
  settle(id: number, failed: boolean, payload: string): void;
};

/** The sixth argument of `boot`, as JSON. */
export type KernelLimits = {
  /** Of a result, in characters of JSON. */
  resultLength: number;
  /** Of what is thrown, in characters of JSON. */
  thrownLength: number;
  /** Of one invocation; what is beyond is dropped, which the last line says. */
  logLines: number;
  /** Of all lines of one invocation, in characters. */
  logLength: number;
  /** Under way at a time: timers and calls. */
  pending: number;
};

export type FetchRequest = {
  url: string;
  method: string;
  headers: [name: string, value: string][];
  /** Base64; absent: none. */
  body?: string;
  /** In PEM; the key is not encrypted. */
  tls?: { cert?: string; key?: string; ca?: string };
};
/** The body is base64. */
export type FetchAnswer = { status: number; headers: [name: string, value: string][]; body: string };
/** `code` is one of Node's, such as ENOTFOUND, where there is one that fits. */
export type FetchFailure = { code: string; message: string };

/** `path` begins with a slash; `query` is without the question mark. */
export type BtRequest = {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body?: unknown;
};
/** Status 0: it was not even tried, and `body` is a message. */
export type BtAnswer = { status: number; headers: Record<string, string>; body: unknown };

/** The kernel as the host holds it. */
export type KernelReference = ivm.Reference<Kernel>;
