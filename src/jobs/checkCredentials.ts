import type { CommandDependencies } from '#commands/context.ts';
import { noteAvailability } from '#commands/connection/noteAvailability.ts';
import { loadStream } from '#commands/stream.ts';
import { systemContext } from '#commands/systemContext.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { connectionFold } from '#domain/connection/state.ts';
import type { Task } from '#ports/jobs.ts';
import type { CredentialsCheck, PaymentProviders } from '#ports/paymentProvider.ts';
import { unlessErased } from '#src/jobs/patiently.ts';
import { fieldsIn } from '#src/orchestration/connectionFields.ts';

export type CheckSettings = {
  paymentProviders: PaymentProviders;
  concurrency: number;
  concurrencyOfTenant: number;
};

const actor = { type: 'system', id: 'connections' } as const;

/**
 * Asks the provider whether it takes the credentials of a connection that is pending. While the provider cannot be
 * asked, the job comes again, at growing intervals.
 */
export const checkCredentials = (dependencies: CommandDependencies, settings: CheckSettings): Task => ({
  name: 'check_credentials',
  concurrency: settings.concurrency,
  concurrencyOfTenant: settings.concurrencyOfTenant,
  run: ({ tenantId, id }) =>
    unlessErased(async () => {
      const { log, vault } = dependencies;
      const { state, last } = await loadStream(log, connectionStream(tenantId, id), connectionFold);
      if (state.status !== 'live' || state.availability !== 'pending') return;
      const fields = await fieldsIn(vault, state);
      // Replaced meanwhile: that is an event, and has a job of its own.
      if (fields === undefined) return;
      const provider = settings.paymentProviders(state.formulaId);
      const check: CredentialsCheck =
        provider === undefined
          ? { status: 'unauthorized', errorCode: 'invalid_service_credentials' }
          : await provider.checkCredentials({ tenantId, fields });
      if (check.status === 'undecided') throw new Error('the provider could not be asked');
      const context = systemContext(tenantId, actor);
      await noteAvailability(
        dependencies,
        { ...context, traceId: last?.metadata.trace_id ?? context.traceId },
        id,
        check.status === 'valid'
          ? { payloadId: state.payloadId, availability: 'available' }
          : { payloadId: state.payloadId, availability: 'failed', errorCode: check.errorCode },
      );
    }),
});
