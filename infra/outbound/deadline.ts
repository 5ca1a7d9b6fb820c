import { OutboundTimedOut } from '#ports/outbound.ts';

export type Deadline = {
  /** Aborts with {@link OutboundTimedOut}, or with the caller's reason. */
  signal: AbortSignal;
  /** The call is over: nothing is aborted any more. */
  end(): void;
};

/** Ends a call when its time is over, or its caller gives up. */
export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new OutboundTimedOut('total'));
  }, milliseconds);
  const giveUp = (): void => {
    clearTimeout(timer);
    controller.abort(caller?.reason);
  };
  if (caller?.aborted === true) giveUp();
  caller?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', giveUp);
    },
  };
}

/** Waits for something that cannot be given up itself. @throws the signal's reason */
export function untilAborted<Result>(signal: AbortSignal, running: Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const giveUp = (): void => {
    reject(signal.reason as Error);
  };
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  running.then(resolve, reject).finally(() => {
    signal.removeEventListener('abort', giveUp);
  });
  return promise;
}
