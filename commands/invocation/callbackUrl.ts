import type { OutboundGuard, OutboundRefusal } from '#ports/outbound.ts';
import { ValidationFailed } from '#src/errors.ts';

/** In characters. */
const longest = 2_048;

const messages: Partial<Record<OutboundRefusal, string>> = {
  scheme: 'must start with https://',
  address: 'must lead to the public internet',
};

/**
 * Checks where an answer is to be sent, as far as that can be told before anything is sent.
 * @throws ValidationFailed
 */
export function checkCallbackUrl({ outboundGuard }: { outboundGuard: OutboundGuard }, url: string): void {
  const message = url.length > longest ? `must be at most ${longest} characters` : undefined;
  const refusal = message === undefined ? outboundGuard.refusalOf(url) : undefined;
  const fault =
    message ??
    (refusal === undefined
      ? undefined
      : (messages[refusal] ?? 'must be an absolute URL without a user or password'));
  if (fault !== undefined) throw new ValidationFailed({ callback_url: [fault] });
}
