/** Names and values in their order; a name may come more than once. Of an answer, names are lower-case. */
export type OutboundHeaders = readonly (readonly [name: string, value: string])[];

export type OutboundLimits = {
  /** Milliseconds from the call to the last byte of the body, over all redirects. */
  totalMilliseconds: number;
  /** The body of one request, in bytes; and, each by itself, its URL and headers together. */
  requestBytes: number;
  /** The body of the answer as it comes over the wire, in bytes. */
  responseBytes: number;
};

/** All in PEM. */
export type OutboundTls = {
  /** Shown to a host that asks for one, with the certificates up to its authority. */
  cert?: string | undefined;
  /** Of the certificate; not encrypted. */
  key?: string | undefined;
  /** Trusted in place of those that Node trusts. */
  ca?: string | undefined;
};

export type OutboundRequest = {
  /** Whose call it is. Tenants share no connection: one could prepare what the next is answered. */
  tenantId: string;
  /** Absolute, https, without a user or password. */
  url: string;
  /** `GET` unless it is said. CONNECT, TRACE and TRACK are refused. */
  method?: string;
  /**
   * Headers that belong to the connection (Host, Content-Length, Transfer-Encoding, Proxy-… and their like) are left
   * out, as fetch does: the client computes its own. A name or value that is none is refused.
   */
  headers?: OutboundHeaders;
  /** Refused with GET and HEAD, as fetch does. What comes piece by piece is never held whole, and is sent once. */
  body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Of a body that comes piece by piece, in bytes, where that is known; it must come to exactly that. */
  bodyLength?: number | undefined;
  /**
   * Follows five redirects at most, each under the same checks, as fetch does: 303, and 301 and 302 of a POST, become
   * a GET, and another origin gets no Authorization and no Cookie. Without it, a redirect is an answer like any other.
   */
  followRedirects?: boolean;
  /** Counts for the origin of the URL alone, not for where a redirect leads. */
  tls?: OutboundTls | undefined;
  /** Ids of the application, reactor or proxy that the call is made for: the tenant may have allowed them less than others. */
  onBehalfOf?: readonly string[];
  /** Each lists the hosts (`a.example`, `*.example`) that may be called, also by redirects; none: all may. */
  destinations?: readonly (readonly string[])[];
  /** Where this call shall differ from what the client was made with. */
  limits?: Partial<OutboundLimits>;
  /** Gives the call up; it then rejects with the signal's reason. */
  signal?: AbortSignal;
};

export type OutboundStream = {
  /** The URL that answered, after redirects. */
  url: string;
  status: number;
  headers: OutboundHeaders;
  /** The same, with names as the host spelled them. */
  rawHeaders: OutboundHeaders;
  /** May throw every {@link OutboundFailed} while it is read. No content coding is undone. Reads once. */
  body: AsyncIterable<Uint8Array>;
};

export type OutboundAnswer = Omit<OutboundStream, 'rawHeaders' | 'body'> & { body: Uint8Array };

/** HTTP to where a tenant wants it: the one way out for every call that a tenant can steer. */
export interface Outbound {
  /** @throws OutboundFailed in one of its four forms */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Like {@link send}, with the body as it comes. The time goes on until it was read. @throws OutboundFailed */
  stream(request: OutboundRequest): Promise<OutboundStream>;
  /** Takes no more calls, and waits for those under way. */
  close(): Promise<void>;
}

/**
 * Why a call brought no answer. The closed family below is all there is. Messages are fit for tenants: they name no
 * address. The cause, where there is one, is for the operator.
 */
export abstract class OutboundFailed extends Error {}

const refusals = {
  url: 'The URL is not absolute and well-formed, or it holds a user or password.',
  scheme: 'Only https may be called.',
  address: 'The host is not on the public internet.',
  method: 'The method is not allowed.',
  header: 'A header has a name or value that is not allowed.',
  body: 'GET and HEAD have no body.',
  certificate:
    'The client certificate, its key or the authorities are no PEM that belongs together, or too long.',
  destination: 'The host is not among the destinations that the tenant allows.',
  redirects: 'There were more than five redirects.',
} as const;

export type OutboundRefusal = keyof typeof refusals;

/** The call may not be made; nothing was sent, unless a redirect led there. */
export class OutboundRefused extends OutboundFailed {
  override readonly name = 'OutboundRefused';
  readonly reason: OutboundRefusal;
  constructor(reason: OutboundRefusal) {
    super(refusals[reason]);
    this.reason = reason;
  }
}

const obstacles = {
  name: 'The host name has no address.',
  connection: 'No connection could be made, or it broke off.',
  certificate: 'The certificate of the host is not valid for it.',
  answer: 'The host did not answer in HTTP.',
  closed: 'The service is stopping.',
} as const;

export type OutboundObstacle = keyof typeof obstacles;

/** No answer came. Whether the host has seen the request is known only for `name`, `certificate` and `closed`: no. */
export class OutboundUnreachable extends OutboundFailed {
  override readonly name = 'OutboundUnreachable';
  readonly obstacle: OutboundObstacle;
  constructor(obstacle: OutboundObstacle, options?: ErrorOptions) {
    super(obstacles[obstacle], options);
    this.obstacle = obstacle;
  }
}

/** A limit of time was reached: for making the connection, or for all of the call. */
export class OutboundTimedOut extends OutboundFailed {
  override readonly name = 'OutboundTimedOut';
  readonly phase: 'connection' | 'total';
  constructor(phase: 'connection' | 'total') {
    super(phase === 'connection' ? 'The host took too long to connect.' : 'The call took too long.');
    this.phase = phase;
  }
}

/** A limit of size was reached: of the request (nothing was sent), or of the headers or body of the answer. */
export class OutboundTooLarge extends OutboundFailed {
  override readonly name = 'OutboundTooLarge';
  readonly part: 'request' | 'headers' | 'body';
  constructor(part: 'request' | 'headers' | 'body') {
    super(
      part === 'request'
        ? 'The request is larger than allowed.'
        : `The answer is larger than allowed: its ${part}.`,
    );
    this.part = part;
  }
}

/** Says beforehand what the guard would refuse. */
export interface OutboundGuard {
  /** Why a URL may not be called, as far as that shows without resolving its name; undefined: nothing shows. */
  refusalOf(url: string): OutboundRefusal | undefined;
  /** Whether a URL that is not refused gives an address for its host, and not one that the operator has opened. */
  namesAddress(url: string): boolean;
}
