import type pg from 'pg';
import { isPassing } from '#infra/postgres/failure.ts';
import type { EventMetadata, LogPage, Position, RecordedEvent } from '#ports/eventLog.ts';
import { LogUnavailable } from '#ports/eventLog.ts';
import type { JsonObject } from '#ports/json.ts';

const columns = 'e.position, e.stream, e.revision, e.id, e.type, e.data, e.metadata';
type EventRow = [
  position: string,
  stream: string,
  revision: string,
  id: string,
  type: string,
  data: JsonObject,
  metadata: EventMetadata,
];

/**
 * A statement to which row-level security shows the whole log. Its query must compare with `log.scope`: then the
 * planner cannot touch the table before the setting is made.
 */
const ofWholeLog = (query: string): string => `
  with log as materialized (select set_config('hf.stream', '*', true) as scope)
  select found.* from log cross join lateral (${query} offset 0) as found`;

/** Events looked at for one page of a filtered read: few enough that a page of rare events stays quick. */
const smallestScan = 10_000;

/**
 * Reads the log. No statement here filters by visibility: positions become visible in their order, see
 * `0002_event_log`.
 */
export class Reader {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async readStream(stream: string, from: bigint): Promise<RecordedEvent[]> {
    const rows = await this.#rows<EventRow>(
      'event_log_stream',
      `with asked as materialized (select set_config('hf.stream', $1, true) as stream)
       select ${columns} from asked cross join lateral (
         select * from event_log.events where stream = asked.stream and revision >= $2 offset 0
       ) as e
       order by e.revision`,
      [stream, from],
    );
    return rows.map(recordedEvent);
  }

  async readStreamEnd(stream: string, limit: number): Promise<RecordedEvent[]> {
    const rows = await this.#rows<EventRow>(
      'event_log_stream_end',
      `with asked as materialized (select set_config('hf.stream', $1, true) as stream)
       select ${columns} from asked cross join lateral (
         select * from event_log.events where stream = asked.stream order by revision desc limit $2 offset 0
       ) as e
       order by e.revision`,
      [stream, limit],
    );
    return rows.map(recordedEvent);
  }

  async readAll(after: Position | null, limit: number, types?: readonly string[]): Promise<LogPage> {
    return types === undefined ? this.#readPage(after, limit) : this.#scanPage(after, limit, types);
  }

  async head(): Promise<Position | null> {
    const rows = await this.#rows<[string | null]>(
      'event_log_head',
      ofWholeLog("select max(position) from event_log.events where log.scope = '*'"),
      [],
    );
    return rows[0]?.[0] ?? null;
  }

  async logId(): Promise<string> {
    const rows = await this.#rows<[string]>('event_log_identity', 'select id from event_log.identity', []);
    if (rows[0] === undefined) throw new Error('the event log has lost its identity');
    return rows[0][0];
  }

  async #readPage(after: Position | null, limit: number): Promise<LogPage> {
    const rows = await this.#rows<EventRow>(
      'event_log_page',
      `${ofWholeLog(`select ${columns} from event_log.events e
         where log.scope = '*' and e.position > $1 order by e.position limit $2`)}
       order by position`,
      [after ?? '0', limit],
    );
    const events = rows.map(recordedEvent);
    return { events, scanned: events.at(-1)?.position ?? after, atHead: events.length < limit };
  }

  /** One row at least: the extent of the scan stands before every event, and alone where none matches. */
  async #scanPage(after: Position | null, limit: number, types: readonly string[]): Promise<LogPage> {
    const extent = Math.max(limit, smallestScan);
    const rows = await this.#rows<[size: string, last: string | null, ...Partial<EventRow>]>(
      'event_log_scan',
      `with scan as materialized (
         ${ofWholeLog(`select count(*) as size, max(position) as last
           from (select position from event_log.events
                 where log.scope = '*' and position > $1 order by position limit $2) s`)}
       )
       select scan.size, scan.last, ${columns}
       from scan left join lateral (
         select * from event_log.events
         where position > $1 and position <= scan.last and type = any ($3) order by position limit $4
       ) e on true
       order by e.position`,
      [after ?? '0', extent, types, limit],
    );
    const events = rows.flatMap(([, , ...row]) => (isEventRow(row) ? [recordedEvent(row)] : []));
    const [size, last] = rows[0] ?? ['0', null];
    if (events.length === limit) {
      return { events, scanned: events.at(-1)?.position ?? after, atHead: false };
    }
    return { events, scanned: last ?? after, atHead: Number(size) < extent };
  }

  async #rows<Row extends unknown[]>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    try {
      const result = await this.#pool.query<Row>({ name, text, values, rowMode: 'array' });
      return result.rows;
    } catch (error) {
      if (isPassing(error)) {
        throw new LogUnavailable('the event log cannot be read', { cause: error });
      }
      throw error;
    }
  }
}

function isEventRow(row: Partial<EventRow>): row is EventRow {
  return typeof row[0] === 'string';
}

function recordedEvent([position, stream, revision, id, type, data, metadata]: EventRow): RecordedEvent {
  return {
    id,
    type,
    data,
    metadata,
    stream,
    revision: BigInt(revision),
    position,
    ordinal: BigInt(position),
  };
}
