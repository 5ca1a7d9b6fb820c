import type { HttpContext } from '#http/context.ts';
import { problemTypeFor } from '#http/problemType.ts';
import type { Answer } from '#http/route.ts';

/** Makes the response of an answer; Koa sends it when the middleware is done. */
export function send(context: HttpContext, answer: Answer): void {
  context.status = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) context.set(name, value);
  if (answer.problem !== undefined) {
    context.set('Content-Type', problemTypeFor(context.req.headers.accept));
    context.body = JSON.stringify(answer.problem);
    return;
  }
  if (answer.content !== undefined) {
    const { type, data } = answer.content;
    if (type !== undefined) context.set('Content-Type', type);
    context.body = data;
    // A guess would make of it what it may not be.
    if (type === undefined) context.remove('Content-Type');
    return;
  }
  if (answer.body === undefined) {
    sendNothing(context, answer.status);
    return;
  }
  context.set('Content-Type', 'application/json; charset=utf-8');
  context.body = JSON.stringify(answer.body);
}

/** Takes back what was said beside the body, so that a problem can take its place. */
export function withdraw(context: HttpContext, answer: Answer): void {
  for (const name of Object.keys(answer.headers ?? {})) context.remove(name);
}

/** Koa makes 204 of an empty body, whatever was said before. */
function sendNothing(context: HttpContext, status: number): void {
  context.body = null;
  context.status = status;
}
