import { ExpressionError } from './error.ts';
import { hasExpression, parseExpression } from './expression.ts';
import { isDeeperThan, isObject, type Json } from './json.ts';
import { limits } from './limits.ts';

/** Why a text of a mask can never show anything, and where in the mask it stands: `number`, `tags[0]`. */
export type MaskLeafFault = { path: string; reason: string };

/** The texts of a mask that no data could make render: they are stored as given, and left out of what is shown. */
export function maskLeafFaults(mask: Json): MaskLeafFault[] {
  return isDeeperThan(mask, limits.maskDepth) ? [] : faultsIn(mask, '');
}

function faultsIn(mask: Json, path: string): MaskLeafFault[] {
  if (Array.isArray(mask)) {
    return mask.flatMap((item, index) => faultsIn(item, `${path}[${String(index)}]`));
  }
  if (isObject(mask)) {
    return Object.entries(mask).flatMap(([name, member]) =>
      faultsIn(member, path === '' ? name : `${path}.${name}`),
    );
  }
  const reason = typeof mask === 'string' && hasExpression(mask) ? reasonAgainst(mask) : undefined;
  return reason === undefined ? [] : [{ path, reason }];
}

function reasonAgainst(text: string): string | undefined {
  try {
    const { usesRandom, references } = parseExpression(text);
    if (usesRandom) return 'aliases are for ids: a mask shows the same each time';
    const unknown = references.find(([root]) => root !== 'data')?.[0];
    return unknown === undefined ? undefined : `there is no "${String(unknown)}": a mask knows data`;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
