/** How much of answers to code may lie in this process at a time. */
export type AnswerBudget = {
  /** Whether there is room for so many bytes more; they are taken then. */
  take(tenantId: string, bytes: number): boolean;
  giveBack(tenantId: string, bytes: number): void;
};

const ofTenant = 32 * 1024 * 1024;
const ofAll = 256 * 1024 * 1024;

/** No tenant can use up what others need, nor all together what the process has. */
export function createAnswerBudget(): AnswerBudget {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take: (tenantId, bytes) => {
      const own = (taken.get(tenantId) ?? 0) + bytes;
      if (own > ofTenant || total + bytes > ofAll) return false;
      taken.set(tenantId, own);
      total += bytes;
      return true;
    },
    giveBack: (tenantId, bytes) => {
      const left = (taken.get(tenantId) ?? 0) - bytes;
      if (left > 0) taken.set(tenantId, left);
      else taken.delete(tenantId);
      total -= bytes;
    },
  };
}
