import type { CommandDependencies } from '#commands/context.ts';
import type { Audit } from '#ports/audit.ts';
import type { Logger } from '#ports/logger.ts';
import type { PaymentProviders } from '#ports/paymentProvider.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';

/** What payments stand on. */
export type PaymentDependencies = CommandDependencies &
  QueryDependencies & {
    audit: Audit;
    logger: Logger;
    paymentProviders: PaymentProviders;
    /** Where buyers come back to. */
    publicUrl: string;
  };
