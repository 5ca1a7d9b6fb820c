/** The members that have a value. What lies inside a member is the tenant's own, and stays as it is. */
export function withoutNulls(answer: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answer).filter(([, member]) => member !== null && member !== undefined),
  );
}
