import { Logger as GraphileLogger } from 'graphile-worker';
import type { Logger } from '#ports/logger.ts';

/** What the library has to say, where it is trouble. Jobs tell of their own failures: see the runner. */
export const graphileLogger = (logger: Logger): GraphileLogger =>
  new GraphileLogger((scope) => (level, message) => {
    // It wants a connection for each worker, which most of the time do nothing.
    const isAdvice = message.includes('maxPoolSize');
    const isTrouble = (level === 'error' || level === 'warning') && !isAdvice;
    const isOfJob = scope.taskIdentifier !== undefined || message.startsWith('Failed task');
    if (isTrouble && !isOfJob) {
      logger.warn({ said: message.split('\n')[0] }, 'the job queue has trouble');
    }
  });
