import type { Faults } from '#domain/event.ts';
import type { PaymentSource } from '#domain/transaction/vocabulary.ts';

/** Who pays, and on what occasion. */
export type UseCase = {
  merchantInitiated: boolean;
  paymentSource: PaymentSource;
  isSubsequentPayment: boolean;
};

/** Whether the occasion makes sense to the card networks. spec: Common transaction use cases */
export function useCaseFaults({ merchantInitiated, paymentSource, isSubsequentPayment }: UseCase): Faults {
  if (!merchantInitiated) return {};
  if (paymentSource === 'ecommerce') {
    return {
      payment_source: ["must be 'card_on_file' or 'recurring' when the transaction is merchant initiated"],
    };
  }
  if (paymentSource === 'recurring' && !isSubsequentPayment) {
    return {
      is_subsequent_payment: ["must be true when a merchant initiates a payment that is 'recurring'"],
    };
  }
  return {};
}

/** A code is entered by a buyer who is there: nobody is when the merchant initiates, or a subscription goes on. */
export const maySendCvc = ({ merchantInitiated, paymentSource }: UseCase): boolean =>
  !merchantInitiated && paymentSource !== 'recurring';
