import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { Unavailable } from '#src/errors.ts';

/** Several times before the batch would count as abandoned, in milliseconds. */
const renewEvery = 15_000;

/** The hold that a request has on the tokens that it makes together. */
export type BatchLease = {
  /** Before the events of these streams are written. @throws Unavailable when an earlier try is being undone */
  cover(streams: readonly string[]): Promise<void>;
  /** False: the batch was taken from its writer, who must not acknowledge it. @throws StoreUnavailable */
  end(): Promise<boolean>;
  /** Renews it no longer, so that it is undone unless somebody goes on with it. */
  leave(): void;
};

/**
 * Keeps a batch from being undone while it is written, however long the log takes.
 * @param interval between renewals, in milliseconds
 */
export function leaseBatch(
  { unfinishedBatches }: Pick<CommandDependencies, 'unfinishedBatches'>,
  { tenantId, commandId }: Pick<CommandContext, 'tenantId' | 'commandId'>,
  interval = renewEvery,
): BatchLease {
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    clearInterval(timer);
  };
  return {
    cover: async (streams) => {
      if (!(await unfinishedBatches.begin({ tenantId, commandId, streams }))) {
        throw new Unavailable('An earlier try of this request is being undone. Try again.');
      }
      timer ??= setInterval(() => {
        // Whether it was too late is known at the end.
        unfinishedBatches.renew(tenantId, commandId).catch(() => undefined);
      }, interval).unref();
    },
    end: () => {
      leave();
      return unfinishedBatches.end(tenantId, commandId);
    },
    leave,
  };
}
