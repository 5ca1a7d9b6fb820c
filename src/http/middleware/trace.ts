import { randomUUID } from 'node:crypto';
import type { HttpMiddleware } from '#http/context.ts';
import { clientAddress } from '#http/request/clientAddress.ts';
import type { Network } from '#src/addresses.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const visible = /^[\x20-\x7e]{1,200}$/;

/**
 * Answers with the client's trace id, or a new one, and finds out where the client is. Inside, a trace id is
 * always a uuid: another value of the client is only echoed.
 */
export function trace(trustedProxies: readonly Network[]): HttpMiddleware {
  return (context, next) => {
    const given = context.req.headers['bt-trace-id'];
    const value = typeof given === 'string' && visible.test(given) ? given : undefined;
    context.state.traceId = value !== undefined && uuid.test(value) ? value.toLowerCase() : randomUUID();
    // What code of reactors calls comes from where the client is that invoked it.
    context.state.address =
      context.state.lent === undefined
        ? clientAddress(context.ip, context.req.headers['x-forwarded-for'], trustedProxies)
        : context.ip;
    context.set('BT-TRACE-ID', value ?? context.state.traceId);
    return next();
  };
}
