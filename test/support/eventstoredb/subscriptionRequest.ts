import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Place } from '#test/support/eventstoredb/messages.ts';
import type { LogRecord, RecordLog } from '#test/support/eventstoredb/recordLog.ts';

const none = 2n ** 64n - 1n;

/** Where a subscription starts; the beginning lies before every record. */
export function startOf(options: ReadReq.Options, log: RecordLog): Place & { fromBeginning: boolean } {
  const position = options.getAll()?.getPosition();
  const last = log.records.at(-1)?.position ?? -1n;
  if (position === undefined) {
    const commit = options.getAll()?.hasEnd() === true ? last : -1n;
    return { commit, prepare: commit, fromBeginning: commit === -1n };
  }
  const place = {
    commit: BigInt(position.getCommitPosition()),
    prepare: BigInt(position.getPreparePosition()),
  };
  // The highest number stands for the end.
  if (place.commit === none) return { commit: last, prepare: last, fromBeginning: false };
  return { ...place, fromBeginning: false };
}

/** Which a server takes for a fault of its own. */
export function isImpossibleStart(options: ReadReq.Options): boolean {
  const position = options.getAll()?.getPosition();
  return (
    position !== undefined && BigInt(position.getPreparePosition()) > BigInt(position.getCommitPosition())
  );
}

export function filterOf(options: ReadReq.Options): (record: LogRecord) => boolean {
  const filter = options.getFilter();
  if (filter === undefined) return () => true;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const pattern = new RegExp(expression?.getRegex() ?? '');
  return (record) => {
    const subject = byStream === undefined ? record.type : record.stream;
    return prefixes.length > 0
      ? prefixes.some((prefix) => subject.startsWith(prefix))
      : pattern.test(subject);
  };
}
