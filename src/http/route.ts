import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { Transform } from '#access/accessRule.ts';
import type { Problem, ProblemForm } from '#http/problemDetails.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { RateScope } from '#ports/rateLimiter.ts';
import type { EntityType, Operation } from '#src/audit/vocabulary.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `json-or-json-patch`: plain JSON, also where a client library calls it a JSON Patch. */
export type BodyKind = 'json' | 'merge-patch' | 'json-or-json-patch';

/** Text, bytes or a stream, sent as they are under a media type. */
export type Content = {
  /** Undefined: whoever made it did not say. */
  type: string | undefined;
  data: string | Uint8Array | Readable;
};

export type Answer = {
  status: number;
  headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON; nothing when undefined. */
  body?: unknown;
  /** Instead of `body`: an error, in the media type that errors have for this caller. */
  problem?: Problem;
  /**
   * Shows what may not be kept: for an idempotency key nothing is, and a repetition of the request runs again
   * under its command id.
   */
  transient?: boolean;
  /** Instead of `body`; such an answer is not kept for an idempotency key. */
  content?: Content;
  /** The tokens, reactors and proxies of which it shows something secret that no event tells: each leaves an audit entry. */
  shown?: readonly Shown[];
  /** What the audit entry says of an answer that names nothing in `shown`. */
  detail?: string;
  /** All tokens of which it shows something; what is kept for an idempotency key is looked at again by them. */
  about?: readonly { id: string; transform: Transform; rendered?: Transform }[];
  /** It was kept from an earlier request with the same idempotency key. */
  replayed?: boolean;
};

/**
 * A token or reactor that is in an answer, and how much of it: its data, or configuration, under a transform; its
 * history; or what its code printed.
 */
export type Shown = {
  id: string;
  transform: Transform | 'history' | 'logs';
  /** What the data amounts to, where a mask shows as much as `reveal`. Default: the transform. */
  rendered?: Transform;
};

/** For who checks a signature, which is over bytes. */
export type RawRequest = {
  body: Uint8Array;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
};

/** A request as it comes, for who hands it on. */
export type IncomingRequest = {
  /** Of the request itself: a HEAD is served by what serves GET. */
  method: string;
  /** Percent-encoded, from the first slash on. */
  path: string;
  /** Without the question mark. */
  query: string;
  /** Names and values as they were sent, in their order. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Reads once; it may stop early without breaking the connection. Undefined: there is none. */
  body: AsyncIterable<Uint8Array> | undefined;
  /** Aborts when the client is gone. */
  gone: AbortSignal;
};

export type RouteRequest<Parameters, Query, Body, Who> = {
  params: Parameters;
  query: Query;
  body: Body;
  caller: Who;
  /** Always a uuid. */
  traceId: string;
  /** The client's IP address. */
  address: string;
  /** A random uuid. The same again when a request with this idempotency key has been tried before. */
  commandId: string;
  /** Whether a command of this id may have run before. */
  repeated: boolean;
  /** It was made by the code of a reactor, and so many run inside each other there. */
  lent?: { depth: number };
  /** As it came; of routes that ask for it. */
  raw?: RawRequest;
  /** As it comes; of routes that ask for it. */
  incoming?: IncomingRequest;
};

/** `optional`: who shows a key must have a good one, and the handler decides about the others. */
export type Authentication = boolean | 'optional';

/** The names in a path's pattern. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type ParametersOf<Path extends string, Schema> = Schema extends TSchema
  ? Static<Schema>
  : Record<NamesIn<Path>, string>;
type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type CallerOf<Authenticated extends Authentication> = Authenticated extends true
  ? Caller
  : Authenticated extends false
    ? undefined
    : Caller | undefined;

type RouteFacts = {
  method: Method;
  /** Which limit its requests count for, beside the global one. */
  rateScope?: Exclude<RateScope, 'global'>;
  /** How many tokens a request is about, for limits that are counted in those. */
  tokensIn?(body: unknown): number;
  /** The card numbers that a request gives, for who watches out for guesses. */
  cardNumbersIn?(body: unknown): string[];
  /** Under `/`, with `:name` for parameters; a trailing slash in a request is tolerated. */
  path: `/${string}`;
  summary: string;
  description?: string;
  tags: readonly string[];
  /** What the caller needs, by a plain permission or any rule. Commands look at containers. */
  permission?: string;
  /** Default: `merge-patch` for PATCH, else `json`. */
  bodyKind?: BodyKind;
  /** Whether no body at all stands for one without members. */
  bodyOptional?: boolean;
  /** The handler gets bytes and headers, and no body is parsed. */
  raw?: boolean;
  /** The handler gets the request as it comes, and no body is read. */
  streamed?: boolean;
  /** What problems of this route are put into; by default they go out as they are. */
  problemForm?: ProblemForm;
  /** In bytes; default 1 MB. */
  bodyLimit?: number;
  /** The answers of success, by status; null: without a body. */
  responses: Readonly<Record<number, TSchema | null>>;
  /** The media type of the answers of success. Default: `application/json`. */
  answerType?: string;
  /** Whether code or destinations of tenants choose the status and the body of answers, too. Default: no. */
  answersFreely?: boolean;
  /** Statuses of problems, beyond those that follow from the rest of the route. */
  problems?: readonly number[];
  /** Whether BT-IDEMPOTENCY-KEY is honoured. Default: on POST, PUT and PATCH. */
  idempotent?: boolean;
  /** Whether an answer may hold detokenized data: it is then kept an hour at most. */
  sensitive?: boolean;
  /** Whether it is part of the published interface. Default: yes. */
  documented?: boolean;
  /** Whether a kept answer may be shown again, as things and rights are now. @throws NotFound @throws Forbidden */
  requireStillShown?(caller: Caller, tokens: NonNullable<Answer['about']>): Promise<void>;
  /** Whether what the path names is there, asked before faults of the body are told. @throws NotFound */
  requireFound?(caller: Caller, params: Record<string, string>): Promise<void>;
  /**
   * What the audit log calls what is read or changed here, and by which operation (default: the method's). A
   * route without it shows nothing of a tenant's.
   */
  audits?: { entity: EntityType; operation?: Operation };
};

export type RouteDefinition<
  Path extends `/${string}`,
  Parameters extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
  Authenticated extends Authentication,
> = RouteFacts & {
  path: Path;
  /** Whether the caller must present a key. Default: yes. */
  authenticated?: Authenticated;
  params?: Parameters;
  query?: Query;
  /** A request without this has no body, or one that is not looked at. */
  body?: Body;
  handle(
    request: RouteRequest<
      ParametersOf<Path, Parameters>,
      ValueOf<Query>,
      ValueOf<Body>,
      CallerOf<Authenticated>
    >,
  ): Promise<Answer>;
};

/** A route as the service registers it: its types have done their work. */
export type Route = RouteFacts & {
  authenticated: Authentication;
  params: TObject | undefined;
  query: TObject | undefined;
  body: TSchema | undefined;
  bodyKind: BodyKind;
  idempotent: boolean;
  handle(request: RouteRequest<unknown, unknown, unknown, Caller | undefined>): Promise<Answer>;
};

/**
 * One declaration from which registration, authentication, the permission check, content type, validation,
 * idempotency and the OpenAPI document follow.
 */
export function defineRoute<
  const Path extends `/${string}`,
  Parameters extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Authenticated extends Authentication = true,
>(definition: RouteDefinition<Path, Parameters, Query, Body, Authenticated>): Route {
  const authenticated = definition.authenticated ?? true;
  const changes = definition.method !== 'GET' && definition.method !== 'DELETE';
  return {
    ...definition,
    authenticated,
    params: definition.params,
    query: definition.query,
    body: definition.body,
    bodyKind: definition.bodyKind ?? (definition.method === 'PATCH' ? 'merge-patch' : 'json'),
    idempotent: definition.idempotent ?? (changes && authenticated === true),
  };
}
