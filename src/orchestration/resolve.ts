import type { CommandContext } from '#commands/context.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';
import { makeCall, noMaterials, questionOf } from '#src/orchestration/calls.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { findGateway } from '#src/orchestration/gateway.ts';
import { materialsOf } from '#src/orchestration/materials.ts';
import { outcomeOf } from '#src/orchestration/outcomes.ts';

/**
 * So long after it was asked for, a call that the provider never had is still made, in milliseconds. Later nobody
 * expects the charge any more.
 */
const carriedThrough = 5 * 60_000;

/**
 * Finds out what became of a call that was left open, and makes it where it never was: always under its own key, so
 * that it happens once, whoever else is at it. What has to be given back is tried until it is. Undefined: it cannot be
 * told yet.
 */
export async function resolveCall(
  dependencies: PaymentDependencies,
  context: CommandContext,
  transaction: Transaction,
  call: Call,
): Promise<Outcome | undefined> {
  const gateway = await findGateway(dependencies, transaction.tenantId, transaction.connection.id);
  if (gateway === undefined) return undefined;
  const isUnheard = call.progress === 'requested';
  const takesCard = call.operation === 'authorization' && isUnheard;
  const materials =
    call.operation === 'authorization'
      ? await materialsOf(dependencies, context, transaction, { withCard: takesCard })
      : noMaterials;
  const now = dependencies.clock.now();
  const age = now.getTime() - Date.parse(call.requestedAt);
  const cvcWasSent = materials.card === undefined ? undefined : materials.card.cvc !== undefined;
  const isOwed = call.operation === 'reversal';
  const read = (answer: ProviderOutcome): Outcome | undefined =>
    isOwed && (answer.status === 'not_done' || answer.status === 'unauthorized')
      ? undefined
      : outcomeOf(transaction, call, answer, { now, cvcWasSent });
  const isPossible = !takesCard || materials.card !== undefined;
  const finding = await gateway.provider.find(questionOf(gateway, transaction, call, materials));
  switch (finding.status) {
    case 'found':
      return read(finding.outcome);
    case 'not_found':
      // It had been taken, so it is somewhere.
      if (!isUnheard) return undefined;
      if (!isOwed && (!isPossible || age > carriedThrough)) return neverMade;
      return read(await makeCall(gateway, transaction, call, materials));
    case 'repeat':
      // What was taken is told of by a notification.
      if (!isUnheard) return undefined;
      if (!isOwed && age > finding.withinMilliseconds) return neverMade;
      return isPossible ? read(await makeCall(gateway, transaction, call, materials)) : undefined;
    case 'undecided':
    case 'unauthorized':
      return undefined;
  }
}

const neverMade: Outcome = { kind: 'failed', errorCode: 'service_network_error' };
