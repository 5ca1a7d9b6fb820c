import { passesLuhn } from '#domain/token/cardNumber.ts';

export type CardNetwork = 'visa' | 'mastercard' | 'american_express' | 'discover';

/** How their numbers begin, and how long they are. Source: https://en.wikipedia.org/wiki/Payment_card_number */
const shapes: Readonly<Record<CardNetwork, RegExp>> = {
  visa: /^4(\d{12}|\d{15}|\d{18})$/,
  mastercard: /^(5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}$/,
  american_express: /^3[47]\d{13}$/,
  discover: /^(6011\d{2}|64[4-9]\d{3}|65\d{4}|622(12[6-9]|1[3-9]\d|[2-8]\d{2}|9[01]\d|92[0-5]))\d{10,13}$/,
};

const networks = Object.keys(shapes) as CardNetwork[];

/** The network that can be asked about a card; undefined: none of the four, or no valid number. */
export function networkOf(cardNumber: string): CardNetwork | undefined {
  if (!passesLuhn(cardNumber)) return undefined;
  return networks.find((network) => shapes[network].test(cardNumber));
}
