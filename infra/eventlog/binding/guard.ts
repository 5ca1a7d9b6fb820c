import type pg from 'pg';
import { bindFirst } from '#infra/eventlog/binding/bindFirst.ts';
import { readInstallation } from '#infra/eventlog/binding/installation.ts';
import { requireCheckpoints } from '#infra/eventlog/binding/requireCheckpoints.ts';
import { requireHistory } from '#infra/eventlog/binding/requireHistory.ts';
import { belongsToAnother, isAnother } from '#infra/eventlog/binding/sentences.ts';
import type { PlacedLog } from '#infra/eventlog/binding/sentences.ts';
import { WrongLog } from '#ports/eventLog.ts';

/** A log that was right is looked at again after so long, in milliseconds. */
const freshFor = 2_000;

/** Keeps an installation to its log. */
export type LogGuard = {
  /**
   * Makes sure that the log is the one of this installation and holds what was read of it; binds both at the first start.
   * What was found stays good for two seconds.
   * @throws WrongLog @throws LogUnavailable @throws StoreUnavailable
   */
  check(): Promise<void>;
  /** The same now, and that no view or subscriber has read beyond the log's end: for what cannot be taken back. */
  checkWhole(): Promise<void>;
};

export type LogGuardOptions = PlacedLog & {
  pool: pg.Pool;
  /** Of the owner of the tables; asked at the first start only. */
  ownerPool: pg.Pool;
};

export function createLogGuard({ pool, ownerPool, ...placed }: LogGuardOptions): LogGuard {
  let found: { at: number; outcome: Promise<void> } | undefined;

  const look = async (): Promise<void> => {
    const { log, place } = placed;
    const bound = await readInstallation(pool);
    if (bound.logId === null) await bindFirst(ownerPool, placed);
    const { id, logId, logPlace } = bound.logId === null ? await readInstallation(pool) : bound;
    const here = { id: await log.logId(), place };
    if (logId !== here.id) throw isAnother({ id: logId ?? 'none', place: logPlace }, here);
    const owner = await log.owner();
    // A log of before bindings, or one that was put back to before its own.
    const isOurs = owner === id || (owner === null && (await log.giveTo(id, null)));
    if (!isOurs && (await log.owner()) !== id) throw belongsToAnother(here);
    await requireHistory(pool, placed);
  };

  const lookAgain = (): Promise<void> => {
    const outcome = look();
    const entry = { at: performance.now(), outcome };
    found = entry;
    outcome.catch((error: unknown) => {
      // Of a wrong log everybody is told for a while; anything else may be over.
      if (!(error instanceof WrongLog) && found === entry) found = undefined;
    });
    return outcome;
  };

  return {
    check: () =>
      found !== undefined && performance.now() - found.at < freshFor ? found.outcome : lookAgain(),
    checkWhole: async () => {
      await lookAgain();
      await requireCheckpoints(pool, placed);
    },
  };
}
