import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { targetUrlFault } from '#commands/targetUrl.ts';
import { emailAddressFault } from '#domain/member/emailAddress.ts';
import { webhookKinds } from '#domain/webhook/kinds.ts';
import type { OutboundGuard } from '#ports/outbound.ts';
import { destinationListsOf } from '#src/destinations.ts';
import { ValidationFailed } from '#src/errors.ts';

/** Source: reference of webhooks. */
export type WebhookInput = {
  name: string;
  url: string;
  events: readonly string[];
  notify_email?: string | null;
};

export type WebhookDependencies = CommandDependencies & { outboundGuard: OutboundGuard };

/**
 * Checks what no schema of a request can tell. Answers the kinds without repetitions.
 * @throws ValidationFailed
 */
export function checkContent(
  dependencies: WebhookDependencies,
  { tenantSettings }: Pick<CommandContext, 'tenantSettings'>,
  input: WebhookInput,
): string[] {
  const faults = new FaultList();
  faults.addIfAny('url', targetUrlFault(dependencies, input.url, destinationListsOf(tenantSettings, [])));
  if (input.notify_email) faults.addIfAny('notify_email', emailAddressFault(input.notify_email));
  input.events.forEach((kind, index) => {
    if (!webhookKinds.includes(kind)) {
      faults.add(`events[${index}]`, 'must be one of GET /webhooks/event-types');
    }
  });
  if (faults.any) throw new ValidationFailed(faults.faults);
  return [...new Set(input.events)];
}
