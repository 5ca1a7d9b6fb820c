/**
 * Numbers of so many digits, or so small, that a double may not carry them: up to 15 digits it always does, unless
 * the number is below 1e-307. Finds the like in strings too; what it finds is looked at closely.
 */
const suspicious = /(?:^|[[:,])[ \t\n\r]*-?(?:\d[\d.]{15}|[\d.]+[eE]-\d{3})/;

/** Whether a JSON text may hold a number that is not {@link isExact}. Costs less than parsing it. */
export const mayHoldInexactNumbers = (json: string): boolean => suspicious.test(json);

/**
 * Whether a finite number has the value that its text in JSON has. `1.0` and `1e3` have it, and so has `0.1`: the
 * shortest text of the double nearest to it is the same number.
 */
export function isExact(value: number, source: string): boolean {
  const wanted = decimalOf(source);
  const written = decimalOf(String(value));
  return wanted.digits === written.digits && (wanted.digits === '' || wanted.exponent === written.exponent);
}

/** The digits without zeros at both ends, and the power of ten of the last one. The sign is never lost. */
function decimalOf(text: string): { digits: string; exponent: number } {
  const [, whole = '', fraction = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  // Not by a pattern: on zeros that do not stand at the end, one takes time that grows with their square.
  while (digits.charAt(end - 1) === '0') end -= 1;
  return {
    digits: digits.slice(0, end),
    exponent: Number(power) - fraction.length + digits.length - end,
  };
}
