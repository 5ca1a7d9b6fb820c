/** JSONPath as RFC 9535 has it, without the two functions that take regular expressions. */

export type Query = { readonly from: 'root' | 'current'; readonly segments: readonly Segment[] };

export type Segment = { readonly descends: boolean; readonly selectors: readonly Selector[] };

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step: number }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'filter'; readonly condition: Condition };

export type Condition =
  | { readonly kind: 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'and'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'exists'; readonly query: Query }
  | {
      readonly kind: 'comparison';
      readonly left: Operand;
      readonly operator: Operator;
      readonly right: Operand;
    };

export type Operator = '==' | '!=' | '<=' | '>=' | '<' | '>';

export type Operand =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'length'; readonly of: Operand }
  | { readonly kind: 'count' | 'value'; readonly of: Query };
