/** What a check prints: how much it looked at, and what was wrong with it. */
export type Finding = { what: string; faults: readonly string[] };
