import { Context, filters as implementations, Liquid } from 'liquidjs';
import { ExpressionError } from '../error.ts';
import { isComplex, type Json } from '../json.ts';
import { limits } from '../limits.ts';
import { perCharacter, type Filter } from './filter.ts';

/**
 * The standard filters, as liquidjs has them: it gets values that were checked, an allocation limit of its
 * own, and never a text to parse.
 */

const engine = new Liquid({ ownPropertyOnly: true, templates: {} });

type Accepts = (value: Json) => boolean;
type Options = {
  readonly args: Filter['args'];
  readonly weight?: number;
  readonly accepts?: Accepts;
  readonly acceptsArgument?: Accepts;
};

const scalar: Accepts = (value) => !isComplex(value);
const list: Accepts = (value) => scalar(value) || (Array.isArray(value) && value.every(scalar));
const sequence: Accepts = (value) => scalar(value) || Array.isArray(value);
const anything: Accepts = () => true;

function fromLiquid(name: string, options: Options): [name: string, filter: Filter] {
  const { args, weight, accepts = scalar, acceptsArgument = scalar } = options;
  const handler = handlerOf(name);
  const bind: Filter['bind'] = (given) => {
    if (!given.every(acceptsArgument)) throw new ExpressionError('the arguments must be texts or numbers');
    return (value) => {
      if (!accepts(value)) throw new ExpressionError('cannot be applied to an object or a list');
      const context = new Context({}, engine.options, { memoryLimit: 2 * limits.valueLength });
      return asJson(Reflect.apply(handler, { context, liquid: engine }, [value, ...given]));
    };
  };
  return [name, { args, weight, bind }];
}

function handlerOf(name: string) {
  const implementation = implementations[name];
  if (typeof implementation !== 'function') throw new Error(`liquidjs has no filter "${name}"`);
  return implementation;
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : null;
}

/** Looks at the surface only: what these filters give out is made of what they were given. */
function isJson(value: unknown): value is Json {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) || (typeof value === 'object' && value !== null)
  );
}

export const standardFilters: readonly (readonly [name: string, filter: Filter])[] = [
  fromLiquid('abs', { args: [0, 0] }),
  fromLiquid('append', { args: [1, 1] }),
  fromLiquid('at_least', { args: [1, 1] }),
  fromLiquid('at_most', { args: [1, 1] }),
  fromLiquid('base64_decode', { args: [0, 0] }),
  fromLiquid('base64_encode', { args: [0, 0] }),
  fromLiquid('capitalize', { args: [0, 0] }),
  fromLiquid('ceil', { args: [0, 0] }),
  fromLiquid('default', { args: [1, 1], accepts: anything, acceptsArgument: anything }),
  fromLiquid('divided_by', { args: [1, 1] }),
  fromLiquid('downcase', { args: [0, 0] }),
  fromLiquid('escape', { args: [0, 0], weight: perCharacter }),
  fromLiquid('escape_once', { args: [0, 0], weight: perCharacter }),
  fromLiquid('first', { args: [0, 0], accepts: sequence }),
  fromLiquid('floor', { args: [0, 0] }),
  fromLiquid('join', { args: [0, 1], accepts: list, weight: perCharacter }),
  fromLiquid('last', { args: [0, 0], accepts: sequence }),
  fromLiquid('lstrip', { args: [0, 1] }),
  fromLiquid('minus', { args: [1, 1] }),
  fromLiquid('modulo', { args: [1, 1] }),
  fromLiquid('newline_to_br', { args: [0, 0], weight: perCharacter }),
  fromLiquid('plus', { args: [1, 1] }),
  fromLiquid('prepend', { args: [1, 1] }),
  fromLiquid('remove', { args: [1, 1], weight: perCharacter }),
  fromLiquid('remove_first', { args: [1, 1] }),
  fromLiquid('remove_last', { args: [1, 1] }),
  // With one argument it removes, since a missing replacement counts as the empty text.
  fromLiquid('replace', { args: [1, 2], weight: perCharacter }),
  fromLiquid('replace_first', { args: [1, 2] }),
  fromLiquid('replace_last', { args: [1, 2] }),
  fromLiquid('round', { args: [0, 1] }),
  fromLiquid('rstrip', { args: [0, 1] }),
  fromLiquid('size', { args: [0, 0], accepts: sequence }),
  fromLiquid('split', { args: [1, 1], weight: perCharacter }),
  fromLiquid('strip', { args: [0, 1] }),
  fromLiquid('strip_html', { args: [0, 0], weight: perCharacter }),
  fromLiquid('strip_newlines', { args: [0, 0], weight: perCharacter }),
  fromLiquid('times', { args: [1, 1] }),
  fromLiquid('truncate', { args: [0, 2], weight: perCharacter }),
  fromLiquid('truncatewords', { args: [0, 2], weight: perCharacter }),
  fromLiquid('upcase', { args: [0, 0] }),
  fromLiquid('url_decode', { args: [0, 0], weight: perCharacter }),
  fromLiquid('url_encode', { args: [0, 0], weight: perCharacter }),
];
