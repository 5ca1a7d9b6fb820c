import { streamNameFilter } from '@eventstore/db-client';
import type { Filter } from '@eventstore/db-client';
import { streamCategories } from '#src/domain/streamCategories.ts';

/** What the server's filter may be asked to do besides filtering. */
type FilterOptions = Pick<Filter, 'checkpointInterval' | 'checkpointReached'>;

/**
 * How streams are called on a server that is shared with others: behind a prefix, which nobody above sees. A prefix
 * may be the beginning of another's, so that a stream is known by its category as well.
 * `<prefix>meta-log` is the engine's own stream and none of the domain's.
 */
export class StreamNames {
  readonly prefix: string;
  readonly metaLog: string;
  readonly #own: readonly string[];

  constructor(prefix: string) {
    this.prefix = prefix;
    this.metaLog = `${prefix}meta-log`;
    this.#own = streamCategories.map((category) => `${prefix}${category}-`);
  }

  onServer(stream: string): string {
    return `${this.prefix}${stream}`;
  }

  inDomain(streamId: string): string {
    return streamId.slice(this.prefix.length);
  }

  isDomain(streamId: string): boolean {
    return this.#own.some((beginning) => streamId.startsWith(beginning));
  }

  /** What the server can sort out by itself: all that is not of the domain. */
  serverFilter(options: FilterOptions): Filter {
    return streamNameFilter({ ...options, prefixes: [...this.#own] });
  }
}
