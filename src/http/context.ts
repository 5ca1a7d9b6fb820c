import type { Middleware, ParameterizedContext } from 'koa';
import type { ProblemForm } from '#http/problemDetails.ts';
import type { Caller } from '#ports/accessDirectory.ts';

/** What is known of a request while it is served. */
export type RequestState = {
  /** Always a uuid: the client's, when it sent one. */
  traceId: string;
  /** The client's IP address, as it was when the request came: a socket that broke has none. */
  address: string;
  /** The pattern of the route that matched. */
  route?: string;
  /** The route asks for a key, or goes by one. */
  takesKey?: boolean;
  caller?: Caller;
  /** How problems of that route go out, if not as they are. */
  problemForm?: ProblemForm | undefined;
  /** It was made by code in the service, with the rights of an application. */
  lent?: Lent;
};

/** What a request is given that comes from code inside the service: nothing that a client sends can say so. */
export type Lent = {
  caller: Caller;
  /** How many reactors run inside each other where it is made. */
  depth: number;
  /** Its body, which no connection carries. */
  body: Uint8Array;
};

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;
