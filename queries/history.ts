import { applicationStream } from '#domain/application/events.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { tokenStream } from '#domain/token/events.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';

const streams = {
  token: tokenStream,
  application: applicationStream,
  connection: connectionStream,
  transaction: transactionStream,
};

export type WithHistory = keyof typeof streams;

/**
 * What happened to one thing, oldest first, also after it was deleted. Events hold no secrets.
 * @throws NotFound
 */
export async function getHistory(
  { log }: Pick<QueryDependencies, 'log'>,
  tenantId: string,
  of: WithHistory,
  id: string,
  { page, size }: PageRequest,
): Promise<Page<RecordedEvent>> {
  const events = await log.readStream(streams[of](tenantId, id));
  if (events.length === 0) throw new NotFound();
  return {
    items: events.slice((page - 1) * size, page * size),
    totalItems: events.length,
    page,
    size,
  };
}
