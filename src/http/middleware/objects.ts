import type { HttpMiddleware } from '#http/context.ts';
import { objectsPath } from '#ports/objectTransfers.ts';
import type { ObjectTransfers } from '#ports/objectTransfers.ts';

/** Lets clients send and fetch files by signed URLs; their bodies are nobody else's to read. */
export function objects(transfers: ObjectTransfers | undefined): HttpMiddleware {
  return async (context, next) => {
    if (transfers === undefined || !context.path.startsWith(objectsPath)) {
      await next();
      return;
    }
    context.state.route = `${objectsPath}:key`;
    const { status, headers, body } = await transfers.answer(context.req);
    context.status = status;
    for (const [name, value] of Object.entries(headers)) context.set(name, value);
    context.body = body;
    context.status = status;
  };
}
