import type { Faults } from '#domain/event.ts';
import { countries } from '#domain/iso/countries.ts';
import { currencies } from '#domain/iso/currencies.ts';
import { useCaseFaults } from '#domain/transaction/useCase.ts';
import { intents, maximumAmount, paymentSources } from '#domain/transaction/vocabulary.ts';
import type { Intent, PaymentSource } from '#domain/transaction/vocabulary.ts';

/** What a client asks for, with the defaults filled in. */
export type TransactionInput = {
  amount: number;
  connectionId: string;
  currency: string;
  tokenId: string;
  country: string | undefined;
  externalIdentifier: string | undefined;
  intent: Intent;
  isSubsequentPayment: boolean;
  merchantInitiated: boolean;
  metadata: Record<string, string> | undefined;
  paymentSource: PaymentSource;
  previousSchemeTransactionId: string | undefined;
  threeDSessionId: string | undefined;
};

export type CheckedInput = { valid: true; input: TransactionInput } | { valid: false; faults: Faults };

/**
 * Of texts in characters, of metadata in members. Source: reference of transactions. It does not bound metadata: what
 * is allowed here is what providers take, and an event has room for it.
 */
export const inputLimits = {
  externalIdentifier: 200,
  schemeTransactionId: 100,
  id: 400,
  metadataEntries: 50,
  metadataName: 40,
  metadataValue: 500,
} as const;

/** Reads the body of a new transaction. Null is as good as absent; members that nobody knows are ignored. */
export function checkTransactionInput(body: unknown): CheckedInput {
  if (!isObject(body)) return { valid: false, faults: { '': ['must be an object'] } };
  const read = new Reader(body);
  const intent = read.oneOf('intent', intents, 'authorize');
  const input: TransactionInput = {
    amount: read.amount('amount', intent === 'capture' ? 1 : 0),
    connectionId: read.required('connection_id', inputLimits.id),
    currency: read.code('currency', currencies, 'a currency of ISO 4217, such as USD', true) ?? '',
    tokenId: read.required('token', inputLimits.id),
    country: read.code('country', countries, 'a country of ISO 3166-1, such as US', false),
    externalIdentifier: read.text('external_identifier', inputLimits.externalIdentifier),
    intent,
    isSubsequentPayment: read.flag('is_subsequent_payment'),
    merchantInitiated: read.flag('merchant_initiated'),
    metadata: read.metadata('metadata'),
    paymentSource: read.oneOf('payment_source', paymentSources, 'ecommerce'),
    previousSchemeTransactionId: read.text('previous_scheme_transaction_id', inputLimits.schemeTransactionId),
    threeDSessionId: read.sessionId('three_d_session_id'),
  };
  const { faults } = read;
  const occasion = ['payment_source', 'merchant_initiated', 'is_subsequent_payment'];
  if (!occasion.some((path) => path in faults)) Object.assign(faults, useCaseFaults(input));
  return Object.keys(faults).length === 0 ? { valid: true, input } : { valid: false, faults };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads one member after the other and keeps what is wrong with each. */
class Reader {
  readonly faults: Faults = {};
  readonly #body: Record<string, unknown>;

  constructor(body: Record<string, unknown>) {
    this.#body = body;
  }

  amount(path: string, least: number): number {
    const value = this.#member(path);
    const fits = typeof value === 'number' && Number.isSafeInteger(value);
    if (fits && value >= least && value <= maximumAmount) return value;
    this.#fault(
      path,
      value === undefined ? 'is required' : `must be an integer from ${least} to ${maximumAmount}`,
    );
    return 0;
  }

  text(path: string, longest: number): string | undefined {
    const value = this.#member(path);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.length > 0 && value.length <= longest) return value;
    this.#fault(path, `must be a string of 1 to ${longest} characters`);
    return undefined;
  }

  required(path: string, longest: number): string {
    if (this.#member(path) === undefined) this.#fault(path, 'is required');
    return this.text(path, longest) ?? '';
  }

  code(path: string, list: ReadonlySet<string>, what: string, isRequired: boolean): string | undefined {
    const value = this.#member(path);
    if (value === undefined && !isRequired) return undefined;
    if (typeof value === 'string' && list.has(value)) return value;
    this.#fault(path, value === undefined ? 'is required' : `must be ${what}`);
    return undefined;
  }

  flag(path: string): boolean {
    const value = this.#member(path) ?? false;
    if (typeof value === 'boolean') return value;
    this.#fault(path, 'must be true or false');
    return false;
  }

  oneOf<Member extends string>(path: string, members: readonly Member[], otherwise: Member): Member {
    const value = this.#member(path) ?? otherwise;
    const member = members.find((each) => each === value);
    if (member === undefined) this.#fault(path, `must be one of ${members.join(', ')}`);
    return member ?? otherwise;
  }

  /** A session's id, or an object that has it. spec: Create Transaction */
  sessionId(path: string): string | undefined {
    const value = this.#member(path);
    if (!isObject(value)) return this.text(path, inputLimits.id);
    const { id } = value;
    if (typeof id === 'string' && id.length > 0 && id.length <= inputLimits.id) return id;
    this.#fault(`${path}.id`, `must be a string of 1 to ${inputLimits.id} characters`);
    return undefined;
  }

  metadata(path: string): Record<string, string> | undefined {
    const value = this.#member(path);
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      this.#fault(path, 'must be an object of strings');
      return undefined;
    }
    const entries = Object.entries(value);
    const { metadataEntries, metadataName, metadataValue } = inputLimits;
    if (entries.length > metadataEntries) this.#fault(path, `must have at most ${metadataEntries} members`);
    for (const [name, text] of entries) {
      if (name.length > metadataName) {
        this.#fault(path, `must have names of at most ${metadataName} characters`);
      }
      if (typeof text !== 'string' || text.length > metadataValue) {
        this.#fault(
          `${path}.${name.slice(0, metadataName)}`,
          `must be a string of at most ${metadataValue} characters`,
        );
      }
    }
    return value as Record<string, string>;
  }

  #member(path: string): unknown {
    return (Object.hasOwn(this.#body, path) ? this.#body[path] : undefined) ?? undefined;
  }

  #fault(path: string, message: string): void {
    const messages = (this.faults[path] ??= []);
    if (!messages.includes(message)) messages.push(message);
  }
}
