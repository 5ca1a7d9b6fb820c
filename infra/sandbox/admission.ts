import type { SandboxSettings } from '#infra/sandbox/settings.ts';

export type Admission = {
  /** Resolves with what gives the place back, or undefined when there was none in time. */
  enter(tenantId: string, options?: { patient?: boolean | undefined }): Promise<(() => void) | undefined>;
};

type Limits = Pick<SandboxSettings, 'concurrency' | 'tenantConcurrency' | 'tenantQueue' | 'patience'>;
type Waiting = { enter(): void };

/**
 * How many invocations run at a time. A tenant that has none running is let in although the others have taken all
 * places: nobody can keep anybody out.
 */
export function createAdmission(limits: Limits): Admission {
  const running = new Map<string, number>();
  /** Tenants take turns: who was let in goes to the end. */
  const waiting = new Map<string, Waiting[]>();
  let total = 0;

  const hasRoom = (tenantId: string): boolean => {
    const own = running.get(tenantId) ?? 0;
    return own === 0 || (own < limits.tenantConcurrency && total < limits.concurrency);
  };
  const take = (tenantId: string): (() => void) => {
    running.set(tenantId, (running.get(tenantId) ?? 0) + 1);
    total += 1;
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      total -= 1;
      const left = (running.get(tenantId) ?? 1) - 1;
      if (left === 0) running.delete(tenantId);
      else running.set(tenantId, left);
      admitNext();
    };
  };
  const admitNext = (): void => {
    for (const [tenantId, queue] of waiting) {
      const [first] = queue;
      if (first === undefined || !hasRoom(tenantId)) continue;
      queue.shift();
      waiting.delete(tenantId);
      if (queue.length > 0) waiting.set(tenantId, queue);
      first.enter();
      return;
    }
  };
  const leaveQueue = (tenantId: string, entry: Waiting): void => {
    const left = (waiting.get(tenantId) ?? []).filter((other) => other !== entry);
    if (left.length === 0) waiting.delete(tenantId);
    else waiting.set(tenantId, left);
  };

  return {
    enter: (tenantId, { patient = false } = {}) => {
      const queue = waiting.get(tenantId) ?? [];
      if (queue.length === 0 && hasRoom(tenantId)) return Promise.resolve(take(tenantId));
      if (!patient && queue.length >= limits.tenantQueue) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const entry: Waiting = {
          enter: () => {
            clearTimeout(timer);
            resolve(take(tenantId));
          },
        };
        const timer = patient
          ? undefined
          : setTimeout(() => {
              leaveQueue(tenantId, entry);
              resolve(undefined);
            }, limits.patience);
        waiting.set(tenantId, [...queue, entry]);
      });
    },
  };
}
