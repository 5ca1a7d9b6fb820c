import { isFinal, transitions } from '#domain/transaction/transitions.ts';
import type { Transition } from '#domain/transaction/transitions.ts';
import { transactionStatuses } from '#domain/transaction/vocabulary.ts';

/** The table of states as a mermaid diagram: an arrow for every way between two statuses. Reversals lead nowhere. */
export function stateDiagram(): string {
  const arrows = new Map<string, Transition[]>();
  for (const transition of transitions) {
    if (transition.operation === 'reversal') continue;
    const from = transition.from === 'new' ? '[*]' : transition.from;
    const arrow = `${from} --> ${transition.to}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), transition]);
  }
  const lines = [...arrows].map(([arrow, ways]) => `  ${arrow} : ${ways.map(label).join('<br/>')}`);
  const ends = transactionStatuses.filter(isFinal).map((status) => `  ${status} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...lines, ...ends, '```'].join('\n');
}

const label = ({ row, operation, on, intent }: Transition): string =>
  `${row}. ${operation} ${on.replaceAll('_', ' ')}${intent === undefined ? '' : ` (${intent})`}`;

/** The same as rows, with the event that each writes. */
export function stateTable(): string {
  const rows = transitions.map(({ row, from, operation, on, intent = 'any', to, event }) => {
    const [start, end] = operation === 'reversal' && from === to ? ['settled', 'the same'] : [from, to];
    return `| ${row} | ${start} | ${operation} ${on.replaceAll('_', ' ')} | ${intent} | ${end} | ${event ?? '—'} |`;
  });
  return [
    '| Row | From | What happens | Intent | To | Event |',
    '| --- | --- | --- | --- | --- | --- |',
    ...new Set(rows),
  ].join('\n');
}
