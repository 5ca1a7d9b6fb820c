import type { LogLine } from '#ports/sandbox.ts';

/** What a service process tells a host. `call` numbers an invocation within the host. */
export type ToHost =
  /** The payload is JSON of `req.args`, or nothing where the program is only to be loaded. */
  | { type: 'invoke'; call: number; program: string; version: string; isMessage: boolean }
  /** The answer to `need`. The payload is JSON of {@link ProgramPayload}. */
  | { type: 'program'; call: number }
  /** The end of something that the code called for. */
  | { type: 'settle'; call: number; id: number; failed: boolean }
  /** The time of a call is over. */
  | { type: 'stop'; call: number };

export type ProgramPayload = {
  code: string;
  configuration: Readonly<Record<string, string>>;
  hasApplication: boolean;
  returns: 'result' | 'message';
};

/** How a call ended in the host, and what the payload is then. */
export type HostOutcome =
  /** JSON of what is let out of what the code returned. */
  | 'returned'
  /** JSON of what was thrown. */
  | 'threw'
  /** A message. */
  | 'does_not_compile'
  | 'not_a_function'
  | 'too_large'
  | 'out_of_memory'
  /** As it was told to. */
  | 'stopped';

/** What a host tells. None of it is trusted: code of a tenant may have broken out into it. */
export type FromHost =
  | { type: 'ready' }
  | { type: 'need'; call: number }
  | { type: 'outcome'; call: number; kind: HostOutcome }
  | { type: 'send'; call: number; id: number; kind: 'fetch' | 'bt' }
  | { type: 'cancel'; call: number; id: number }
  | { type: 'log'; call: number; level: LogLine['level'] };
