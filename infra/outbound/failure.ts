import { errors } from 'undici';
import { ConnectFailed } from '#infra/outbound/connector.ts';
import { OutboundFailed, OutboundTimedOut, OutboundTooLarge, OutboundUnreachable } from '#ports/outbound.ts';

/** What went wrong in a call, as the port says it; errors of the program, and the caller's own, stay what they are. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof OutboundFailed || !(error instanceof Error)) return error;
  if (error instanceof ConnectFailed) return connectFailure(error.cause);
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutboundTooLarge('headers');
  if (error instanceof errors.HTTPParserError || /_LENGTH_MISMATCH$/.test(code)) {
    return new OutboundUnreachable('answer', { cause: error });
  }
  return code === '' ? error : new OutboundUnreachable('connection', { cause: error });
}

function connectFailure(cause: unknown): OutboundFailed {
  const code = codeOf(cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new OutboundTimedOut('connection');
  // OpenSSL's names of what is wrong with a certificate, and Node's for a name that it does not hold.
  const certificate = /CERT|LEAF_SIGNATURE|CRL|ERR_TLS/.test(code);
  return new OutboundUnreachable(certificate ? 'certificate' : 'connection', { cause });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
