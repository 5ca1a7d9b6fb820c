/** What the rest of the house uses of the expression language. */
export { ExpressionError } from './error.ts';
export { evaluate, hasExpression, namesProperty, parseExpression, renderText } from './expression.ts';
export type { Bindings, EvaluateOptions, Expression } from './expression.ts';
export { applyMask, maskFault, maskLeaves, maskMayUse } from './mask.ts';
export type { MaskLeaf } from './mask.ts';
export { maskLeafFaults } from './maskFaults.ts';
export { parseDetokenization } from './detokenization.ts';
export type { Detokenization, TokenLookup, TokenReference } from './detokenization.ts';
export { readPath } from './path.ts';
export { jsonSize } from './json.ts';
export type { Random } from './run.ts';
export type { FilterCall, Output, Path } from './syntax.ts';
export { referencesOf } from './compile.ts';
