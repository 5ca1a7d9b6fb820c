import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';

/**
 * Stores lines that end in their tags behind entry `first - 1` of a writer, all or none, and answers how far the
 * chain has come; without lines it only answers that.
 * @throws StoreUnavailable, or the database's refusal
 */
export async function appendLines(
  pool: pg.Pool,
  writerId: string,
  first: number,
  lines: readonly string[],
): Promise<number> {
  const { rows } = await reachable(() =>
    pool.query<{ last: string }>({
      name: 'audit append',
      text: 'select audit.append($1, $2, $3) as last',
      values: [writerId, first, lines.join('\n')],
    }),
  );
  return Number(rows[0]?.last);
}
