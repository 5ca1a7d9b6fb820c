import { eventTypes } from '#domain/catalog.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { projections } from '#projections/index.ts';
import type { Composition } from '#src/main/compose.ts';

/** What the operations on projections work with. */
export const engineOf = ({ log, pools, connection, logger }: Composition): Engine => ({
  log,
  pool: pools.owner,
  connection,
  projections,
  knownTypes: eventTypes,
  logger,
});
