/** Card numbers that pass Luhn, each once. */
export function cardNumbers(start: number): () => string {
  let next = start;
  return () => {
    const digits = `400000${String(next++ % 1_000_000_000).padStart(9, '0')}`;
    return digits + checkDigit(digits);
  };
}

function checkDigit(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += index % 2 === 0 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return (10 - (sum % 10)) % 10;
}
