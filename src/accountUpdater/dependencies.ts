import type { CommandDependencies } from '#commands/context.ts';
import type { CardNetworks } from '#ports/cardNetworks.ts';
import type { Logger } from '#ports/logger.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';

/** What jobs of the account updater need from the outside. */
export type UpdaterDependencies = CommandDependencies &
  QueryDependencies & { objects: ObjectStorage; cardNetworks: CardNetworks; logger: Logger };
