/** How often and how long is measured. */
export type Duration = { rounds: number; seconds: number };

/** Figures of one round: the control's, ours, and ours over the control's. */
export type Round = { control: number; ours: number; ratio: number };

export type Measured = {
  name: string;
  unit: string;
  target: number;
  /** Whether the ratio must not be more than the target; otherwise it must not be less. */
  atMost?: true;
  rounds: Round[];
  /** What else a reader should know. */
  notes: string[];
};

/** Control and candidate in turn, so that both meet the same moods of the machine. */
export async function interleave(
  count: number,
  control: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < count; round++) {
    const figures = { control: await control(), ours: await ours() };
    rounds.push({ ...figures, ratio: figures.ours / figures.control });
  }
  return rounds;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
