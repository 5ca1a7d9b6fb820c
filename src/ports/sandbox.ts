/** Code of a tenant, as it is to run. */
export type Program = {
  tenantId: string;
  /** Whose code it is: a reactor, or one transform of a proxy. */
  id: string;
  /** Another one whenever the code or what it is loaded with changes; code of an older version never runs again. */
  version: string;
  /** What is needed only where the program is not loaded yet. @throws whatever reading it throws */
  load(): Promise<ProgramContent>;
};

export type ProgramContent = {
  /** CommonJS: `module.exports` is to be a function. */
  code: string;
  configuration: Readonly<Record<string, string>>;
  /** Whether the code may call the service with the rights of an application (`req.bt`). */
  hasApplication: boolean;
  /** Which members of what it returns are let out: a reactor's `raw` and `tokenize`, or a message's `headers`, `body` and `raw`. */
  returns: 'result' | 'message';
};

/** A call that code makes to the outside of its sandbox. Both texts are JSON. */
export type CodeCall = { kind: 'fetch' | 'bt'; payload: string; signal: AbortSignal };
export type CodeCallAnswer = { failed: boolean; payload: string };

export type LogLine = {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  /** Its end is missing, because there was no room. */
  isCut?: boolean;
};

export type Invocation = {
  program: Program;
  /** JSON of `req.args`; undefined: the program is only loaded, and nothing called. */
  args: string | undefined;
  /** `args` is an HTTP message, and another is expected: names in its `headers` are found in any spelling. */
  isMessage?: boolean;
  /** From here to the result, in milliseconds; loading the program is part of it. */
  milliseconds: number;
  /** Invocations around this one, by code that called others; each depth has places of its own. */
  depth?: number;
  /** Waits for a place as long as it takes: nobody waits for the answer. */
  patient?: boolean;
  /** Carries out what the code asks of the outside. Never rejects. */
  serve(call: CodeCall): Promise<CodeCallAnswer>;
};

/** What was thrown by code; only names and values, nothing of it is trusted. */
export type Thrown = {
  name: string;
  message: string;
  /** What errors of the reactor library carry. */
  status?: unknown;
  errors?: unknown;
  headers?: unknown;
  body?: unknown;
};

/** How an invocation ended. */
export type SandboxOutcome =
  /** JSON of an object with what is let out, each member where the code gave it; nested by 64 levels at most. */
  | { kind: 'returned'; result: string }
  | { kind: 'threw'; thrown: Thrown }
  | { kind: 'does_not_compile'; message: string }
  | { kind: 'not_a_function' }
  | { kind: 'timed_out' }
  | { kind: 'out_of_memory' }
  /** The result is larger than is let out, or nested deeper. */
  | { kind: 'too_large' }
  /** The process died, by this invocation or by another of the tenant. */
  | { kind: 'crashed' }
  /** There was no room, also after a short wait; the code has not run. */
  | { kind: 'busy' }
  /** Nothing here keeps code from the service's own files and processes; the code has not run. */
  | { kind: 'unconfined' };

export type SandboxResult = { outcome: SandboxOutcome; logs: readonly LogLine[] };

/** Runs code of tenants such that it harms nobody. */
export interface Sandbox {
  /** @throws what `program.load` throws, and nothing else */
  invoke(invocation: Invocation): Promise<SandboxResult>;
  /** Takes no more invocations; ends those under way as `crashed`. */
  close(): Promise<void>;
}
