import { cardSchemeOf } from '#domain/token/cardScheme.ts';
import type { Json, JsonObject } from '#ports/json.ts';
import type { PaymentCard } from '#ports/paymentProvider.ts';
import { maySendCvc } from '#domain/transaction/useCase.ts';
import type { UseCase } from '#domain/transaction/useCase.ts';

/** What is shown of a card that a transaction was made with: no more than a receipt shows. */
export type CardFace = {
  /** The last four digits. */
  label: string;
  /** The first digits, which name the issuer. */
  bin: string;
  /** `MM/YY` */
  expiration_date?: string;
};

/** @param data of a token of the type `card`, which was checked when it was stored */
export function faceOf(data: Json): CardFace & JsonObject {
  const { number, expiration_month: month, expiration_year: year } = members(data);
  const digits = String(number);
  const isDated = typeof month === 'number' && typeof year === 'number';
  return {
    label: digits.slice(-4),
    bin: digits.slice(0, digits.length >= 16 ? 8 : 6),
    ...(isDated
      ? { expiration_date: `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}` }
      : {}),
  };
}

/** The card as providers take it, with its code where that may be sent; undefined when it has no expiry. */
export function paymentCardOf(data: Json, useCase: UseCase): PaymentCard | undefined {
  const { number, expiration_month: expirationMonth, expiration_year: expirationYear, cvc } = members(data);
  if (typeof number !== 'string') return undefined;
  if (typeof expirationMonth !== 'number' || typeof expirationYear !== 'number') return undefined;
  const isSent = typeof cvc === 'string' && maySendCvc(useCase);
  return { number, expirationMonth, expirationYear, ...(isSent ? { cvc } : {}) };
}

/** The network that a card belongs to, as transactions show it. */
export function schemeOf(data: Json): string | undefined {
  const { number } = members(data);
  return typeof number === 'string' ? cardSchemeOf(number) : undefined;
}

const members = (data: Json): JsonObject =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
