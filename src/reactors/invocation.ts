import type { Caller } from '#ports/accessDirectory.ts';
import type { Origin } from '#ports/dispatch.ts';
import type { Json } from '#ports/json.ts';
import type { RunnableReactor } from '#queries/reactor/runnable.ts';

/** All is checked and detokenized. Plain JSON, so that the vault can keep it until its turn. */
export type PreparedInvocation = {
  reactor: RunnableReactor;
  caller: Caller;
  /** JSON of `req.args`. */
  args: string;
  /** What detokenization put into `args`: it must not be seen in logs. */
  injected: string[];
  /** When the oldest short-lived property among that was stored, in ISO 8601; its hour is theirs. */
  shortLivedSince?: string | undefined;
  origin: Origin;
};

/** What a synchronous invocation answers, problems included. */
export type ReactorAnswer = {
  status: number;
  /** With a Content-Type, where there is a body. */
  headers: Readonly<Record<string, string | string[]>>;
  /** JSON; a text where the Content-Type says that it is something else. */
  body: unknown;
  /** Code made it by hand: whatever it looks like, it is a result. */
  isComposed?: true;
};

export type RunOptions = {
  milliseconds: number;
  /** It has waited since it was prepared, and waits for a place as long as it takes. */
  patient?: boolean;
};

/** Invocations of reactors. spec: Invoke a Reactor */
export type Reactors = {
  /**
   * Detokenizes with the caller's rights, and writes down what was used before anybody sees it.
   * @throws NotFound, ValidationFailed, Forbidden, PayloadTooLarge
   */
  prepare(caller: Caller, reactorId: string, args: Json, origin: Origin): Promise<PreparedInvocation>;
  /** What to answer when the code does not compile, or exports no function. @throws NotFound */
  checkCode(prepared: PreparedInvocation): Promise<ReactorAnswer | undefined>;
  /** Runs the code as it is now. Whatever it does is an answer. @throws NotFound when it was deleted meanwhile */
  run(prepared: PreparedInvocation, options: RunOptions): Promise<ReactorAnswer>;
};
