import { findFormula } from '#domain/connection/formulas.ts';
import { createAdyenProvider } from '#infra/providers/adyen/adyenProvider.ts';
import { createSandboxProvider } from '#infra/providers/sandbox/sandboxProvider.ts';
import { createStripeProvider } from '#infra/providers/stripe/stripeProvider.ts';
import type { Clock } from '#ports/clock.ts';
import type { Outbound } from '#ports/outbound.ts';
import type { PaymentProviders } from '#ports/paymentProvider.ts';
import type { Config } from '#src/config.ts';
import { sandboxApprovalPath } from '#src/orchestration/approvalPage.ts';

/** How long after a call the sandbox confirms what it left open, in milliseconds. */
const confirmationMilliseconds = 2_000;

type Settings = Pick<Config, 'publicUrl' | 'sandboxLatency' | 'stripeUrl' | 'adyenUrl'>;

/** The providers that money is moved through, by the formulas of connections. */
export function createPaymentProviders({
  config,
  clock,
  outbound,
}: {
  config: Settings;
  clock: Clock;
  outbound: Outbound;
}): PaymentProviders {
  const at = (baseUrl: string | undefined) => ({
    outbound,
    clock,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  const providers = {
    sandbox: createSandboxProvider({
      clock,
      latencyMilliseconds: config.sandboxLatency,
      confirmationMilliseconds,
      approvalPage: `${config.publicUrl}${sandboxApprovalPath}`,
    }),
    stripe: createStripeProvider(at(config.stripeUrl)),
    adyen: createAdyenProvider(at(config.adyenUrl)),
  };
  return (formulaId) => {
    const formula = findFormula(formulaId);
    return formula?.available === true ? providers[formula.provider] : undefined;
  };
}
