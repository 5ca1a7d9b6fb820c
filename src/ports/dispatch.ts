import type { Caller } from '#ports/accessDirectory.ts';

/** A request that does not come over a connection. */
export type InnerRequest = {
  method: string;
  /** Percent-encoded, from the first slash on. */
  path: string;
  /** Without the question mark. */
  query: string;
  headers: Readonly<Record<string, string>>;
  /** A JSON value; undefined: none. */
  body?: unknown;
};

/** JSON comes as a value, everything else as text. Status 0: there is no answer, and `body` is a message. */
export type InnerAnswer = { status: number; headers: Record<string, string>; body: unknown };

/** What a request stems from. */
export type Origin = {
  /** A uuid: of requests that name no other. */
  traceId: string;
  /** Of the client at the beginning of the chain. */
  address: string;
  /** How many reactors run inside each other where it is made. */
  depth: number;
};

/** Has a request served as one of this caller, through all that a request goes through. Never rejects. */
export type Dispatch = (caller: Caller, request: InnerRequest, origin: Origin) => Promise<InnerAnswer>;
