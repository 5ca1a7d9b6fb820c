import type pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { rateWindow } from '#src/rateLimits.ts';

/** What the library reads of a row: `expire` by the time of day of this process, in milliseconds. */
type Counted = { rows: { points: number; expire: number }[] };

/**
 * One scope, in the table of the migration `rate_limits`. The statement is not the library's, which goes by the
 * clocks of the processes: where they differ, or one is set back, clients would be counted, or blocked, for as
 * long as the difference. Here it is the clock of the database, and what it sets too far in the future has ended.
 */
export class SharedCounter extends RateLimiterPostgres {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool, scope: string, points: number) {
    super({
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'work',
      tableName: 'rate_counts',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: scope,
      points,
      duration: rateWindow,
      blockDuration: rateWindow,
    });
    this.#pool = pool;
  }

  /**
   * What stores of the library implement.
   * @param anew whether the counter starts with these points, whatever it was
   */
  async _upsert(key: string, points: number, milliseconds: number, anew = false): Promise<Counted> {
    const { rows } = await this.#pool.query<{ points: number; left_ms: number }>({
      name: 'count request',
      text: `
        insert into work.rate_counts as known (key, points, ends_at)
        values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
        on conflict (key) do update set (points, ends_at) = (
          select case when is_over then $2 else known.points + $2 end,
                 case when is_over then clock_timestamp() + $3 * interval '1 millisecond' else known.ends_at end
          from (
            select $4 or known.ends_at <= clock_timestamp()
                      or known.ends_at > clock_timestamp() + interval '${rateWindow + 1} seconds' as is_over
          ) as state
        )
        returning points, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as left_ms`,
      values: [key, points, milliseconds, anew],
    });
    return { rows: rows.map((row) => ({ points: row.points, expire: Date.now() + row.left_ms })) };
  }
}
