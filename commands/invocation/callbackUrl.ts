import { targetUrlFault } from '#commands/targetUrl.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';
import type { OutboundGuard } from '#ports/outbound.ts';
import { destinationListsOf } from '#src/destinations.ts';
import { ValidationFailed } from '#src/errors.ts';

/**
 * Checks where an answer is to be sent, as far as that can be told before anything is sent.
 * @throws ValidationFailed
 */
export function checkCallbackUrl(
  dependencies: { outboundGuard: OutboundGuard },
  { tenantSettings }: { tenantSettings?: TenantSettings },
  url: string,
): void {
  const fault = targetUrlFault(dependencies, url, destinationListsOf(tenantSettings, []));
  if (fault !== undefined) throw new ValidationFailed({ callback_url: [fault] });
}
