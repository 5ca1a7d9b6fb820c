import type { LogLine } from '#ports/sandbox.ts';
import { cardNumbersIn } from '#src/reactors/redaction/cardNumbers.ts';
import { formsOf } from '#src/reactors/redaction/forms.ts';
import { indexText } from '#src/reactors/redaction/textIndex.ts';

/** What must not be seen in lines. */
export type Secrets = {
  /** What detokenization gave to the code. */
  injected: readonly string[];
  configuration: Readonly<Record<string, string>>;
};

export const redacted = '[redacted]';
const cutOff = '…';
/** Shorter ones are no secrets, but regions, switches and the like. */
const shortestConfigured = 6;
/** The beginning of a card number at the end of a line that was cut. */
const digitsAtEnd = /\d(?:[ -]?\d){0,18}$/;

/** Lines without secrets and card numbers, in any form that lines are likely to hold them in. */
export function redact(lines: readonly LogLine[], { injected, configuration }: Secrets): LogLine[] {
  if (lines.length === 0) return [];
  // Together: what was printed line by line is found as well.
  const text = lines.map((line) => line.text).join('\n');
  const configured = Object.values(configuration).filter((value) => value.length >= shortestConfigured);
  // What is longer than all lines is not in them; in none of its forms, which are no shorter.
  const secrets = [...injected, ...configured].filter((secret) => secret.length <= text.length);
  const covered = coveredIn(text, secrets);
  const longest = Math.max(0, ...[...injected, ...configured].map((secret) => secret.length));
  let start = 0;
  return lines.map(({ level, text: own, isCut }) => {
    const end = start + own.length;
    // What begins here may be the beginning of a secret, which nothing finds.
    const certain = isCut === true ? end - uncertainAtEnd(own, longest) : end;
    const shown = textOf(text, covered, start, certain);
    start = end + 1;
    return { level, text: isCut === true ? `${shown}${cutOff}` : shown };
  });
}

/** Encoded for an address a character may become nine. */
const uncertainAtEnd = (line: string, longest: number): number =>
  Math.min(line.length, Math.max(longest * 9, digitsAtEnd.exec(line.slice(-40))?.[0].length ?? 0));

/** Whether each character is part of what must not be seen. */
function coveredIn(text: string, secrets: readonly string[]): Uint8Array {
  const covered = new Uint8Array(text.length);
  if (secrets.length > 0) {
    const lengths = indexText(text).longestAt(formsOfAll(secrets));
    let until = 0;
    for (let index = 0; index < text.length; index++) {
      until = Math.max(until, index + (lengths[index] ?? 0));
      if (index < until) covered[index] = 1;
    }
  }
  for (const { start, end } of cardNumbersIn(text)) covered.fill(1, start, end);
  return covered;
}

function formsOfAll(secrets: readonly string[]): Set<string> {
  const forms = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) forms.add(form);
  return forms;
}

function textOf(text: string, covered: Uint8Array, start: number, end: number): string {
  let result = '';
  for (let from = start; from < end;) {
    let to = from + 1;
    while (to < end && covered[to] === covered[from]) to++;
    result += covered[from] === 1 ? redacted : text.slice(from, to);
    from = to;
  }
  return result;
}
