import { randomBytes, randomInt } from 'node:crypto';

/** `code` is a security code: too short to be found by itself, so that the member that holds it is looked for. */
export type CanaryKind = 'card' | 'account' | 'text' | 'code' | 'key';

export type Canary = {
  kind: CanaryKind;
  value: string;
  /** The request and the spot in it that the value was sent in. */
  spot: string;
  /** Stands where callers put names and ids of their own, which answers to the same request may repeat. */
  named?: boolean;
};

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('');

/** The digits with the one that makes them right by Luhn's sum. */
function withCheckDigit(payload: string): string {
  const sum = [...payload].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return payload + String((10 - (sum % 10)) % 10);
}

const makers = {
  card: () => withCheckDigit(`4${digits(14)}`),
  account: () => `7${digits(15)}`,
  text: () => `cnry${randomBytes(12).toString('hex')}`,
} as const;

/** Every canary of a run. No value comes twice, nor by chance. */
export class Canaries {
  readonly #hunted: Canary[] = [];
  readonly #inClear: Canary[] = [];

  /** A new value to be sent in this spot. */
  make(kind: keyof typeof makers, spot: string, named = false): string {
    return this.add({ kind, value: makers[kind](), spot, named });
  }

  /** A security code of three digits, to be sent as the member `cvc`. */
  code(spot: string): string {
    const code = digits(3);
    this.add({ kind: 'code', value: `"cvc":"${code}"`, spot });
    return code;
  }

  /** Hunts for a value that was made elsewhere, such as the key of an application. */
  add(canary: Canary): string {
    this.#hunted.push(canary);
    return canary.value;
  }

  /** What was accepted in a member that is kept in clear by definition, such as a name, is no canary. */
  release(value: string): void {
    const at = this.#hunted.findIndex((canary) => canary.value === value);
    if (at >= 0) this.#inClear.push(...this.#hunted.splice(at, 1));
  }

  get hunted(): readonly Canary[] {
    return this.#hunted;
  }

  get inClear(): readonly Canary[] {
    return this.#inClear;
  }
}
