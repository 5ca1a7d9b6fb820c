import { streamNameFilter } from '@eventstore/db-client';
import type { Filter } from '@eventstore/db-client';

/** What the server's filter may be asked to do besides filtering. */
type FilterOptions = Pick<Filter, 'checkpointInterval' | 'checkpointReached'>;

/**
 * How streams are called on a server that is shared with others: behind a prefix, which nobody above sees.
 * `<prefix>meta-log` is the engine's own stream and none of the domain's.
 */
export class StreamNames {
  readonly #prefix: string;
  readonly metaLog: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.metaLog = `${prefix}meta-log`;
  }

  onServer(stream: string): string {
    return `${this.#prefix}${stream}`;
  }

  inDomain(streamId: string): string {
    return streamId.slice(this.#prefix.length);
  }

  isDomain(streamId: string): boolean {
    return streamId.startsWith(this.#prefix) && !streamId.startsWith('$') && streamId !== this.metaLog;
  }

  /** What the server can sort out by itself. */
  serverFilter(options: FilterOptions): Filter {
    if (this.#prefix === '') return streamNameFilter({ ...options, regex: '^[^$]' });
    return streamNameFilter({ ...options, prefixes: [this.#prefix] });
  }
}
