import { randomUUID } from 'node:crypto';
import type { HttpMiddleware } from '#http/context.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const visible = /^[\x20-\x7e]{1,200}$/;

/**
 * Answers with the client's trace id, or a new one. Inside, a trace id is always a uuid: another value of the
 * client is only echoed.
 */
export const trace: HttpMiddleware = (context, next) => {
  const given = context.req.headers['bt-trace-id'];
  const value = typeof given === 'string' && visible.test(given) ? given : undefined;
  context.state.traceId = value !== undefined && uuid.test(value) ? value.toLowerCase() : randomUUID();
  // IPv4 addresses that come over IPv6 are written as what they are.
  context.state.address = context.ip.replace(/^::ffff:(?=\d+\.)/, '');
  context.set('BT-TRACE-ID', value ?? context.state.traceId);
  return next();
};
