import { NotFound, Refused, ValidationFailed } from '#src/errors.ts';
import { OperatorError } from '#src/cli/print.ts';

/**
 * Carries out what an operator asked for.
 * @param subject what is looked for, as the end of "there is no"
 * @throws OperatorError with one sentence when it is refused
 */
export async function orRefuse<Result>(subject: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new OperatorError(sentenceOf(error, subject), { cause: error });
  }
}

function sentenceOf(refusal: Refused, subject: string): string {
  if (refusal instanceof NotFound) return `there is no ${subject}`;
  if (!(refusal instanceof ValidationFailed)) return refusal.message;
  return Object.entries(refusal.faults)
    .flatMap(([path, messages]) => messages.map((message) => `${path} ${message}`))
    .join('; ');
}
