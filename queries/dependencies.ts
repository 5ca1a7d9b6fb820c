import type { BinTable } from '#ports/binTable.ts';
import type { Clock } from '#ports/clock.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { IntegrityAlarm } from '#ports/integrityAlarm.ts';
import type { ReadModels } from '#ports/readModels.ts';
import type { StateSigner } from '#ports/stateSigner.ts';
import type { Vault } from '#ports/vault.ts';

/** What queries need from the outside. */
export type QueryDependencies = {
  readModels: ReadModels;
  vault: Vault;
  log: EventLog;
  clock: Clock;
  stateSigner: StateSigner;
  integrityAlarm: IntegrityAlarm;
  binTable: BinTable;
};

/** A page of a list, with what the envelope tells about it. */
export type Page<Item> = { items: Item[]; totalItems: number; page: number; size: number };

/** Which page is asked for: `page` from 1, `size` items each. */
export type PageRequest = { page: number; size: number };
