import type { Logger } from '#ports/logger.ts';

const silence = (): void => undefined;

/** For tests that do not look at what is logged. */
export const silentLogger: Logger = { debug: silence, info: silence, warn: silence, error: silence };
