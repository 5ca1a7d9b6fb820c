import type { CommandDependencies, Outcome } from '#commands/context.ts';
import type { Position } from '#ports/eventLog.ts';

/** Waits until the read models show a change, then answers. */
export async function settle<Result>(
  { views }: Pick<CommandDependencies, 'views'>,
  position: Position | undefined,
  result: Result,
): Promise<Outcome<Result>> {
  const shown = position === undefined ? 'applied' : await views.waitFor(position);
  return { result, stale: shown === 'late' };
}
