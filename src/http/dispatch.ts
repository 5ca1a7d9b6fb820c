import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { App } from '#http/app.ts';
import type { HttpContext } from '#http/context.ts';
import { problem } from '#http/problem.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Dispatch, InnerAnswer, InnerRequest, Origin } from '#ports/dispatch.ts';

/** Of an answer, in bytes. */
const mostAnswered = 5 * 1_048_576;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** What code may say by headers; everything else is not passed on. */
const allowedHeaders = ['content-type', 'bt-trace-id', 'bt-idempotency-key', 'idempotency-key'];
/** As in HTTP: no characters that would end a line, or a path. */
const headerValue = /^[\t\x20-\x7e]*$/;
const pathText = /^\/[\x21\x22\x24-\x3e\x40-\x7e]*$/;
const queryText = /^[\x21\x22\x24-\x7e]*$/;

/** Nothing is ever read from it, or written to it. */
const unconnected = new Socket();

/** Serves requests from inside the process, by all that requests over connections go through. */
export function createDispatch(app: App): Dispatch {
  const run = async (context: HttpContext, index = 0): Promise<void> => {
    await app.middleware[index]?.(context as never, () => run(context, index + 1));
  };
  return async (caller, request, origin) => {
    const fault = faultOf(request);
    if (fault !== undefined) return unanswered(fault);
    try {
      const context = contextOf(app, caller, request, origin);
      await run(context);
      return answerOf(context);
    } catch {
      // The middleware answers what a request brings about; this is a fault of the machinery itself.
      return { status: 500, headers: {}, body: problem(500) };
    }
  };
}

function faultOf({ method, path, query, headers }: InnerRequest): string | undefined {
  if (!methods.includes(method)) return `The method must be one of ${methods.join(', ')}.`;
  const isReadable = pathText.test(path) && queryText.test(query);
  if (!isReadable) return 'The path and the query must be percent-encoded.';
  const wrong = Object.entries(headers).find(([, value]) => !headerValue.test(value));
  return wrong && `The header ${wrong[0]} holds a character that a header cannot hold.`;
}

function contextOf(
  app: App,
  caller: Caller,
  { method, path, query, headers, body }: InnerRequest,
  { traceId, address, depth }: Origin,
): HttpContext {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const message = new IncomingMessage(unconnected);
  message.method = method;
  message.url = query === '' ? path : `${path}?${query}`;
  message.headers = {
    'bt-trace-id': traceId,
    ...passed(headers),
    ...(bytes.length === 0 ? {} : { 'content-length': String(bytes.length) }),
  };
  const context = app.createContext(message, new ServerResponse(message)) as HttpContext;
  context.request.ip = address;
  context.state.lent = { caller, depth, body: bytes };
  return context;
}

function passed(headers: InnerRequest['headers']): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(named.filter(([name]) => allowedHeaders.includes(name)));
}

function answerOf(context: HttpContext): InnerAnswer {
  const { status, body } = context;
  const headers = Object.fromEntries(
    Object.entries(context.response.headers).map(([name, value]) => [name, String(value)]),
  );
  if (body === undefined || body === null) return { status, headers, body: undefined };
  if (body instanceof Readable) {
    body.destroy();
    return unanswered('Answers that are streamed cannot be had here.');
  }
  const text = typeof body === 'string' ? body : textOf(body);
  if (text === undefined || Buffer.byteLength(text) > mostAnswered) {
    return unanswered(`The answer is not text, or is longer than ${mostAnswered} bytes.`);
  }
  const isJson = /[/+]json\b/.test(headers['content-type'] ?? '');
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}

const textOf = (body: unknown): string | undefined =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;

const unanswered = (message: string): InnerAnswer => ({ status: 0, headers: {}, body: message });
