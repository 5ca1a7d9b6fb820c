import type { CardNetwork } from '#domain/accountUpdater/cardNetwork.ts';
import type { ResultCode } from '#domain/accountUpdater/resultCodes.ts';

export type CardExpiration = {
  /** 1 to 12. */
  month: number;
  /** Four digits. */
  year: number;
};

export type CardInquiry = {
  network: CardNetwork;
  number: string;
  expiration: CardExpiration;
  /** As the merchant was given it; empty where the tenant may leave it out. */
  merchantId: string;
};

/** What is known of a card. */
export type CardAnswer = {
  /** Undefined: nothing has changed. */
  code: ResultCode | undefined;
  /** With a code that begins with UPD only, and valid: what differs from now on. */
  number?: string;
  expiration?: CardExpiration;
};

export type CardBatch = {
  /** A uuid: asked again under the same id, networks answer the same, and charge for it once. */
  id: string;
  tenantId: string;
  cards: readonly CardInquiry[];
};

export type CardBatchAnswer =
  /** One for each card, in their order. */
  | { status: 'answered'; answers: readonly CardAnswer[] }
  /** The batch was taken; ask again, under the same id, when these milliseconds have passed. */
  | { status: 'pending'; milliseconds: number };

/** Those who know whether cards were replaced, renewed or closed. */
export interface CardNetworks {
  /** @throws CardNetworksFailed @throws the signal's reason */
  ask(batch: CardBatch, signal?: AbortSignal): Promise<CardBatchAnswer>;
}

/** No answer came, after some attempts, or none that can be read. Messages name no card. */
export class CardNetworksFailed extends Error {
  override readonly name = 'CardNetworksFailed';
  /** Whether the same batch may fare better later. */
  readonly isTemporary: boolean;
  constructor(message: string, isTemporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isTemporary = isTemporary;
  }
}
