import { aliasCard, aliasPreserveFormat, aliasPreserveLength } from './alias.ts';
import { cardBin, cardExp, cardMask } from './card.ts';
import { stringify, toBoolean, toNumber, toText } from './cast.ts';
import { date } from './date.ts';
import type { Filter } from './filter.ts';
import { json } from './jsonPath.ts';
import { listFilters } from './lists.ts';
import { last4, padLeft, padRight, reveal, revealLast } from './reveal.ts';
import { slice } from './slice.ts';
import { standardFilters } from './standard.ts';

/** Every filter there is. A map, so that no name reaches a prototype. */
export const filterTable: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...standardFilters,
  ...listFilters,
  ['alias_card', aliasCard],
  ['alias_preserve_format', aliasPreserveFormat],
  ['alias_preserve_length', aliasPreserveLength],
  ['card_bin', cardBin],
  ['card_exp', cardExp],
  ['card_mask', cardMask],
  ['date', date],
  ['json', json],
  ['json_stringify', stringify],
  ['last4', last4],
  ['pad_left', padLeft],
  ['pad_right', padRight],
  ['reveal', reveal],
  ['reveal_last', revealLast],
  ['slice', slice],
  ['stringify', stringify],
  ['to_boolean', toBoolean],
  ['to_number', toNumber],
  ['to_string', toText],
]);
