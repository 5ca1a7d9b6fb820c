import type { CodeCall, CodeCallAnswer } from '#ports/sandbox.ts';

/** What the code of one invocation asks of the outside. */
export type Served = {
  begin(id: number, kind: CodeCall['kind'], payload: string): void;
  /** The code waits for it no longer. */
  cancel(id: number): void;
  /** The invocation is over: what is under way is given up. */
  end(): void;
};

type Asked = { kind: CodeCall['kind']; payload: string };

/** Answers may be large, and all of them lie in this process for a moment. */
const atATime = 8;
/** The kernel lets fewer through; a host is not trusted to. */
const mostWaiting = 200;
/** Of requests that wait, in characters. */
const mostLength = 16 * 1024 * 1024;

const refusal: CodeCallAnswer = {
  failed: true,
  payload: JSON.stringify({ code: 'EMSGSIZE', message: 'Too many calls, or too large ones, are under way.' }),
};

/** Carries them out, some at a time, in their order. */
export function createServed(
  serve: (call: CodeCall) => Promise<CodeCallAnswer>,
  settle: (id: number, answer: CodeCallAnswer) => void,
): Served {
  const waiting = new Map<number, Asked>();
  const running = new Map<number, AbortController>();
  let length = 0;

  const run = async (id: number, { kind, payload }: Asked): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    const answer = await serve({ kind, payload, signal: controller.signal });
    length -= payload.length;
    // Unless it was given up.
    if (running.get(id) === controller) {
      running.delete(id);
      settle(id, answer);
    }
    runNext();
  };
  const runNext = (): void => {
    for (const [id, asked] of waiting) {
      if (running.size >= atATime) return;
      waiting.delete(id);
      void run(id, asked);
    }
  };

  return {
    begin: (id, kind, payload) => {
      if (waiting.size >= mostWaiting || length + payload.length > mostLength) {
        settle(id, refusal);
        return;
      }
      length += payload.length;
      waiting.set(id, { kind, payload });
      runNext();
    },
    cancel: (id) => {
      const asked = waiting.get(id);
      if (asked !== undefined) length -= asked.payload.length;
      waiting.delete(id);
      running.get(id)?.abort();
      running.delete(id);
    },
    end: () => {
      waiting.clear();
      for (const controller of running.values()) controller.abort();
      running.clear();
    },
  };
}
