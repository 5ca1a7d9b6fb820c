import type { FaultList } from '#commands/attributes.ts';
import { lastingFault } from '#commands/token/lasting.ts';
import { partShortLived } from '#access/shortLived.ts';
import { tokenIdFault } from '#domain/token/id.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';
import { ExpressionError, hasExpression, parseExpression, renderText } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import { resourceId } from '#src/identifiers.ts';
import { seededRandom } from '#src/seededRandom.ts';

/** The ids that a new token may get, one after the other, as those before are taken. */
export type IdCandidates = Iterator<string, undefined>;

/** So many aliases are tried before a token gets a uuid. Source: reference of ids and aliases. */
const aliasAttempts = 10;

type Wanted = {
  given: string | null | undefined;
  type: TokenType;
  data: Json;
  commandId: string;
  /** Which of the command's tokens this is. */
  part: string;
};

/**
 * A random uuid when none is given; the id that is given or rendered; or aliases, and a uuid when all are taken.
 * A command that is repeated is given the same ones.
 * @param path of the id in the request
 */
export function idCandidates(wanted: Wanted, path: string, faults: FaultList): IdCandidates {
  const { given, type, commandId, part } = wanted;
  const uuid = resourceId(commandId, part);
  if (given === null || given === undefined) return [uuid].values() as IdCandidates;
  const lasting = lastingFault(type, given);
  if (lasting !== undefined) {
    faults.add(path, lasting);
    return [uuid].values() as IdCandidates;
  }
  try {
    if (hasExpression(given) && parseExpression(given).usesRandom) {
      return aliases(wanted, given, path, uuid, faults);
    }
    const id = hasExpression(given) ? rendered(given, type, wanted.data) : given;
    const fault = tokenIdFault(id, type.secrets(wanted.data));
    if (fault !== undefined) faults.add(path, fault);
    return [id].values() as IdCandidates;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    faults.add(path, error.message);
    return [uuid].values() as IdCandidates;
  }
}

/** By chance an alias may be one that no token may have; when all of them are, chance is not to blame. */
function aliases(
  { type, data, commandId, part }: Wanted,
  expression: string,
  path: string,
  uuid: string,
  faults: FaultList,
): IdCandidates {
  const secrets = type.secrets(data);
  const random = seededRandom(commandId, part);
  const drawn = Array.from({ length: aliasAttempts }, () => rendered(expression, type, data, random));
  const allowed = drawn.filter((id) => tokenIdFault(id, secrets) === undefined);
  if (allowed.length === 0) faults.add(path, tokenIdFault(drawn[0] ?? '', secrets) ?? 'is not allowed');
  return [...new Set(allowed), uuid].values() as IdCandidates;
}

/** Of the data that lasts: an id stands in the log for ever. */
function rendered(
  expression: string,
  type: TokenType,
  data: Json,
  random?: (maxExclusive: number) => number,
): string {
  const { lasting } = partShortLived(type, data);
  const id = renderText(expression, { data: lasting }, { random });
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}
