import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Finds tokens by what an index must serve. Row-level security lets no index on arrays or on the vault be used
 * below it, so this function runs with the owner's rights and compares the tenant itself: with the setting that
 * the policies compare with, never with a parameter. It answers ids and nothing else; whoever reads the rows
 * behind them is bound by the policies again.
 *
 * A parameter that is null does not filter. Plans are made for each call, because one that is good for every
 * combination does not exist. The planner knows nothing of how rare a digest or a term is, and would rather look
 * through all tokens from the newest on: so what such a filter finds is gathered first, as long as that is little.
 */
export const findTokens: Migration = {
  name: '0007_find_tokens',
  sql: `
    create index payloads_fingerprint on vault.payloads (tenant_id, fingerprint)
      where fingerprint is not null;

    create function read_models.find_tokens(
      moment timestamptz,
      ids text[],
      types text[],
      -- Container paths: below one of the granted ones, and below each of the wanted ones.
      granted text[],
      wanted text[],
      -- All of them, as the view of tokens makes them.
      terms text[],
      -- Blind indexes, all of them.
      digests bytea[],
      print text,
      -- Both inclusive.
      created_from timestamptz,
      created_to timestamptz,
      -- Older than this token, in the order of lists.
      before_time timestamptz,
      before_ordinal int8,
      skip int8,
      most int8
    ) returns table (found text)
    language plpgsql stable security definer set search_path = ''
    set plan_cache_mode = force_custom_plan
    set enable_seqscan = off set enable_bitmapscan = on set enable_sort = on as $$
    declare
      tenant constant uuid := nullif(current_setting('hf.tenant', true), '')::uuid;
      -- A stream is named token-<tenant>.<id>.
      prefix constant int := length('token-' || tenant || '.');
      little constant int := 10000;
      candidates text[];
    begin
      if digests is not null then
        candidates := array(
          select substr(p.stream, prefix + 1)
          from vault.blind_indexes b join vault.payloads p on p.tenant_id = b.tenant_id and p.id = b.payload_id
          where b.tenant_id = tenant and b.digest = digests[1] limit little + 1);
      elsif print is not null then
        candidates := array(
          select substr(p.stream, prefix + 1)
          from vault.payloads p where p.tenant_id = tenant and p.fingerprint = print limit little + 1);
      elsif terms is not null then
        candidates := array(
          select t.id from read_models.tokens t
          where t.tenant_id = tenant and t.metadata_terms @> terms limit little + 1);
      end if;
      if cardinality(candidates) <= little then
        ids := array(
          select c from unnest(candidates) c where ids is null or c = any (ids));
      end if;
      if ids is null then
        -- From the newest on, also where nobody has counted yet how many there are.
        perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);
      end if;
      return query
      select t.id
      from read_models.tokens t
      where t.tenant_id = tenant
        and (t.expires_on is null or t.expires_on > moment)
        and (ids is null or t.id = any (ids))
        and (types is null or t.type = any (types))
        and (granted is null or exists (
          select from unnest(t.containers) own, unnest(granted) g where starts_with(own, g)))
        and (wanted is null or not exists (
          select from unnest(wanted) w
          where not exists (select from unnest(t.containers) own where starts_with(own, w))))
        and (terms is null or t.metadata_terms @> terms)
        and (digests is null or (
          (t.id, t.payload_id) in (
            select substr(p.stream, prefix + 1), p.id
            from vault.blind_indexes b join vault.payloads p on p.tenant_id = b.tenant_id and p.id = b.payload_id
            where b.tenant_id = tenant and b.digest = digests[1])
          and not exists (
            select from unnest(digests[2:]) d
            where not exists (
              select from vault.blind_indexes b
              where b.tenant_id = tenant and b.digest = d and b.payload_id = t.payload_id))))
        and (print is null or (t.id, t.payload_id) in (
          select substr(p.stream, prefix + 1), p.id
          from vault.payloads p where p.tenant_id = tenant and p.fingerprint = print))
        and (created_from is null or t.created_at >= created_from)
        and (created_to is null or t.created_at <= created_to)
        and (before_time is null or (t.created_at, t.ordinal) < (before_time, before_ordinal))
      order by t.created_at desc, t.ordinal desc
      offset skip limit most;
    end $$;

    revoke execute on function read_models.find_tokens from public;
    grant execute on function read_models.find_tokens to holdfast_api;
  `,
};
