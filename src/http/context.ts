import type { Middleware, ParameterizedContext } from 'koa';
import type { Caller } from '#ports/accessDirectory.ts';

/** What is known of a request while it is served. */
export type RequestState = {
  /** Always a uuid: the client's, when it sent one. */
  traceId: string;
  /** The client's IP address, as it was when the request came: a socket that broke has none. */
  address: string;
  /** The pattern of the route that matched. */
  route?: string;
  caller?: Caller;
};

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;
