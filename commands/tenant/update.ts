import { lendingSetting } from '#access/lending.ts';
import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { updateTenant as decide } from '#domain/tenant/decide.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import type { LiveTenant, TenantSettings } from '#domain/tenant/state.ts';
import { destinationSettingFault } from '#src/destinations.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';

/** Settings that turn something on or off; others are kept as they are. */
const switches = [
  'deduplicate_tokens',
  'fingerprint_tokens',
  'bin_details',
  'card_numbers_in_metadata',
  'disable_ephemeral_proxy',
  'remove_cvc_after_authorization',
  lendingSetting,
];

/**
 * Changes the name and, when they are given, the settings of the caller's tenant.
 * Source: reference of tenants.
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateTenant(
  dependencies: CommandDependencies,
  context: CommandContext,
  { name, settings }: { name: string; settings?: TenantSettings | null },
): Promise<Outcome<LiveTenant>> {
  const faults = new FaultList();
  for (const name of switches) {
    const value = settings?.[name];
    if (value !== undefined && value !== 'true' && value !== 'false') {
      faults.add(`settings.${name}`, "must be 'true' or 'false'");
    }
  }
  for (const [name, value] of Object.entries(settings ?? {})) {
    faults.addIfAny(`settings.${name}`, destinationSettingFault(name, value));
  }
  if (faults.any) throw new ValidationFailed(faults.faults);
  const executed = await execute(dependencies, context, {
    stream: tenantStream(context.tenantId),
    fold: tenantFold,
    decide: (state) => decide(state, { name, settings: settings ?? undefined }),
  });
  if (executed.state.status !== 'live') throw new NotFound();
  return settle(dependencies, executed.position, executed.state);
}
