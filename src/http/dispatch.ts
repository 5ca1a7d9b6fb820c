import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { App } from '#http/app.ts';
import type { HttpContext, Lent } from '#http/context.ts';
import { problem } from '#http/problem.ts';
import type { Logger } from '#ports/logger.ts';
import type { Dispatch, InnerAnswer, InnerRequest, Origin } from '#ports/dispatch.ts';

/** Of an answer, in bytes. */
const mostAnswered = 5 * 1_048_576;

/** What code may say by headers; everything else is not passed on. */
const allowedHeaders = ['content-type', 'bt-trace-id', 'bt-idempotency-key', 'idempotency-key'];
/** There is no connection, and the caller is known. */
const framingHeaders = ['bt-api-key', 'content-encoding', 'content-length', 'transfer-encoding'];
const anyMethod = /^(GET|POST|PUT|PATCH|DELETE)$/;
/** As in HTTP: no characters that would end a line, or a path. */
const headerValue = /^[\t\x20-\x7e]*$/;
const pathText = /^\/[\x21\x22\x24-\x3e\x40-\x7e]*$/;
const queryText = /^[\x21\x22\x24-\x7e]*$/;

/** Nothing is ever read from it, or written to it. */
const unconnected = new Socket();

/** Serves requests from inside the process, by all that requests over connections go through. */
export function createDispatch({ app, logger }: { app: App; logger: Logger }): Dispatch {
  const run = async (context: HttpContext, index = 0): Promise<void> => {
    await app.middleware[index]?.(context as never, () => run(context, index + 1));
  };
  return async (caller, request, origin) => {
    try {
      const fault = faultOf(request);
      if (fault !== undefined) return unanswered(fault);
      const body = bytesOf(request.body);
      if (body === undefined) return unanswered('The body is nested too deeply.');
      const context = contextOf(app, { caller, depth: origin.depth, body }, request, origin);
      await run(context);
      return await answerOf(context);
    } catch (error) {
      // The middleware answers what a request brings about; this is a fault of the machinery itself.
      const name = error instanceof Error ? error.name : typeof error;
      logger.error({ error: name, trace_id: origin.traceId }, 'a call of code could not be served');
      return { status: 500, headers: {}, body: problem(500) };
    }
  };
}

/** Code may have made it by other means than the library: it is not even known to have these members. */
function faultOf(request: unknown): string | undefined {
  if (!isObject(request) || !isObject(request['headers'])) return 'A request must have headers.';
  const { method, path, query, headers } = request;
  if (!matches(method, anyMethod)) return 'The method must be GET, POST, PUT, PATCH or DELETE.';
  if (!matches(path, pathText) || !matches(query, queryText)) {
    return 'The path and the query must be percent-encoded.';
  }
  const wrong = Object.entries(headers as object).find(([, value]) => !matches(value, headerValue));
  return wrong && `The header ${wrong[0]} holds what a header cannot hold.`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value);

function contextOf(
  app: App,
  lent: Lent,
  { method, path, query, headers }: InnerRequest,
  { traceId, address }: Origin,
): HttpContext {
  const message = new IncomingMessage(unconnected);
  message.method = method;
  message.url = query === '' ? path : `${path}?${query}`;
  const sent = {
    'bt-trace-id': traceId,
    ...passed(path, headers),
    ...(lent.body.length === 0 ? {} : { 'content-length': String(lent.body.length) }),
  };
  message.headers = sent;
  message.rawHeaders = Object.entries(sent).flat();
  const context = app.createContext(message, new ServerResponse(message)) as HttpContext;
  context.request.ip = address;
  context.state.lent = lent;
  return context;
}

function bytesOf(body: unknown): Uint8Array | undefined {
  try {
    return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  } catch {
    // The stack is not deep enough; there are no cycles in what came as JSON.
    return undefined;
  }
}

/** What is handed on to a destination is for that to understand. */
const isHandedOn = (path: string): boolean => /^\/proxy(\/|$)/i.test(path);

function passed(path: string, headers: InnerRequest['headers']): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    named.filter(([name]) =>
      isHandedOn(path) ? !framingHeaders.includes(name) : allowedHeaders.includes(name),
    ),
  );
}

async function answerOf(context: HttpContext): Promise<InnerAnswer> {
  const { status, body } = context;
  const headers = Object.fromEntries(
    Object.entries(context.response.headers).map(([name, value]) => [name, String(value)]),
  );
  if (body === undefined || body === null) return { status, headers, body: undefined };
  const text = await textOf(body);
  if (text === undefined || Buffer.byteLength(text) > mostAnswered) {
    return unanswered(`The answer is not text, or is longer than ${mostAnswered} bytes.`);
  }
  const isJson = /[/+]json\b/.test(headers['content-type'] ?? '');
  return { status, headers, body: isJson ? valueOf(text) : text };
}

async function textOf(body: unknown): Promise<string | undefined> {
  if (typeof body === 'string') return body;
  if (body instanceof Readable) return textOf(await collected(body));
  return body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;
}

/** What is streamed, until it is too much. */
async function collected(body: Readable): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > mostAnswered) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Others than the service may call JSON what is none. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const unanswered = (message: string): InnerAnswer => ({ status: 0, headers: {}, body: message });
