import { targetUrlFault } from '#commands/targetUrl.ts';
import type { OutboundGuard } from '#ports/outbound.ts';
import { ValidationFailed } from '#src/errors.ts';

/**
 * Checks where an answer is to be sent, as far as that can be told before anything is sent.
 * @throws ValidationFailed
 */
export function checkCallbackUrl(dependencies: { outboundGuard: OutboundGuard }, url: string): void {
  const fault = targetUrlFault(dependencies, url);
  if (fault !== undefined) throw new ValidationFailed({ callback_url: [fault] });
}
