import { findTokens } from '#infra/postgres/migrations/0007_find_tokens.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';

const before = findTokens.sql.slice(findTokens.sql.indexOf('create function'));

/**
 * The function of `0007_find_tokens` with one parameter more: `grants`, lists of grants, of each of which a token
 * must meet one. A grant is an array of conditions `{attribute, operator, value}` that must all hold.
 */
export const findTokensGranted: Migration = {
  name: '0012_find_tokens_granted',
  sql: `
    drop function read_models.find_tokens;
    ${before.replace('granted text[],', 'granted text[],\n      grants jsonb,').replace(
      'and (wanted is null',
      `and (grants is null or not exists (
          select from jsonb_array_elements(grants) as list
          where not exists (
            select from jsonb_array_elements(list) as one
            where not exists (
              select from jsonb_to_recordset(one) as condition (attribute text, operator text, value text)
              where not exists (
                select from unnest(case condition.attribute when 'id' then array[t.id] else t.containers end) own
                where case condition.operator
                  when 'equals' then own = condition.value else starts_with(own, condition.value) end)))))
        and (wanted is null`,
    )}
  `,
};
