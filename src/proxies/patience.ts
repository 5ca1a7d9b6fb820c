import { OutboundTimedOut } from '#ports/outbound.ts';

/** How long a destination is waited for. */
export type Patience = {
  /** Aborts with {@link OutboundTimedOut}, or when the client is gone. */
  signal: AbortSignal;
  /** The destination has all of the request: its time begins. */
  begin(): void;
  /** It has answered in time. */
  end(): void;
};

/** Time that a client takes to send its request is not the destination's. @param milliseconds for the answer */
export function createPatience(milliseconds: number, gone: AbortSignal): Patience {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    signal: AbortSignal.any([controller.signal, gone]),
    begin: () => {
      if (isOver) return;
      timer ??= setTimeout(() => {
        controller.abort(new OutboundTimedOut('total'));
      }, milliseconds);
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
