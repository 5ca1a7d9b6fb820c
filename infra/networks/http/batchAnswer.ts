import Type from 'typebox';
import Value from 'typebox/value';
import { networkOf } from '#domain/accountUpdater/cardNetwork.ts';
import { isResultCode, updateCodes } from '#domain/accountUpdater/resultCodes.ts';
import type { UpdateCode } from '#domain/accountUpdater/resultCodes.ts';
import type { CardAnswer, CardExpiration } from '#ports/cardNetworks.ts';

const Result = Type.Object({
  /** The card's place in the request. */
  id: Type.Integer({ minimum: 0 }),
  /** Absent or null: nothing has changed. */
  result_code: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  number: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  expiration_month: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  expiration_year: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
});
const BatchAnswer = Type.Object({ results: Type.Array(Result) });

const undefinedError: CardAnswer = { code: 'ERR_UNDEFINED' };

/**
 * Answers of a gateway in the order of the cards; undefined: the body is none, or misses a card. An answer that
 * contradicts itself is an error of that card alone.
 */
export function readBatchAnswer(body: Uint8Array, cards: number): readonly CardAnswer[] | undefined {
  const content = parse(body);
  if (!Value.Check(BatchAnswer, content) || content.results.length !== cards) return undefined;
  const answers = new Map(content.results.map((result) => [result.id, answerOf(result)]));
  const inOrder = Array.from({ length: cards }, (_, index) => answers.get(index));
  return inOrder.every((answer) => answer !== undefined) ? inOrder : undefined;
}

function answerOf(result: Type.Static<typeof Result>): CardAnswer {
  const code = result.result_code ?? undefined;
  if (code === undefined) return { code };
  if (!isResultCode(code)) return undefinedError;
  if (!isUpdate(code)) return { code };
  const number = result.number ?? undefined;
  const expiration = expirationOf(result);
  if (number !== undefined && networkOf(number) === undefined) return undefinedError;
  if (expiration === 'invalid') return undefinedError;
  if (code === 'UPD_PAN' && number === undefined) return undefinedError;
  if (code === 'UPD_EXP_DATE' && expiration === undefined) return undefinedError;
  return { code, number, expiration };
}

function expirationOf(result: Type.Static<typeof Result>): CardExpiration | 'invalid' | undefined {
  const month = result.expiration_month ?? undefined;
  const year = result.expiration_year ?? undefined;
  if (month === undefined && year === undefined) return undefined;
  if (month === undefined || year === undefined) return 'invalid';
  return month >= 1 && month <= 12 && year >= 2000 && year <= 2099 ? { month, year } : 'invalid';
}

const isUpdate = (code: string): code is UpdateCode => (updateCodes as readonly string[]).includes(code);

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
