import { targets } from '#test/chaos/scenarios/kills.ts';
import type { KillsResult } from '#test/chaos/scenarios/kills.ts';
import type { Outcome } from '#test/chaos/support/stage.ts';

/** One scenario, as a line of the report. */
export type Row = { scenario: string; outcome: Outcome; figures: string };

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`;

/** The figures of one run, as a page. */
export function report(
  rows: readonly Row[],
  kills: KillsResult | undefined,
  facts: readonly string[],
): string {
  const lines = [
    '# What crashes did',
    '',
    'Written by `npm run chaos`. What is promised, and how it is proved: [docs/reliability.md](../../docs/reliability.md).',
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    '| Scenario | Acknowledged writes | Lost | Doubled | Half | Wrong answers | Figures |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows.map(rowOf),
    ...(kills === undefined ? [] : ['', ...recoveries(kills)]),
    '',
  ];
  return lines.join('\n');
}

function rowOf({ scenario, outcome: { acknowledged, verdict }, figures }: Row): string {
  const { lost, doubled, half, wrong } = verdict;
  const counts = [acknowledged, lost.length, doubled.length, half.length, wrong.length];
  return `| ${scenario} | ${counts.map((count) => count.toLocaleString('en')).join(' | ')} | ${figures} |`;
}

function recoveries({ rounds }: KillsResult): string[] {
  return [
    '| Killed | Rounds | Ready: median | most | First write: median | most | After PostgreSQL was back: most |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...targets.flatMap((target) => {
      const ofTarget = rounds.filter((round) => round.target === target);
      if (ofTarget.length === 0) return [];
      const ready = ofTarget.map((round) => round.ready);
      const write = ofTarget.map((round) => round.firstWrite);
      const after = ofTarget.flatMap(({ postgres, firstWrite }) =>
        postgres === undefined ? [] : [Math.max(0, firstWrite - postgres)],
      );
      const cells = [median(ready), most(ready), median(write), most(write)].map(seconds);
      const last = after.length === 0 ? '' : seconds(most(after));
      return [`| ${target} | ${ofTarget.length} | ${cells.join(' | ')} | ${last} |`];
    }),
  ];
}

const most = (values: readonly number[]): number => Math.max(...values);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
