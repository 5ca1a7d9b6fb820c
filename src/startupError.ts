/** Why Holdfast cannot start: one sentence for the operator, shown without a stack, then exit 1. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}
