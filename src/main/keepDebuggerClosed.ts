import type { Logger } from '#ports/logger.ts';

/**
 * On SIGUSR1, Node opens its debugger on a local port, by which every user of the machine reads the memory of the
 * process: keys and plaintext. With a listener it does not.
 */
export function keepDebuggerClosed(logger: Logger): void {
  process.on('SIGUSR1', (signal) => {
    logger.warn({ signal }, 'the debugger stays closed');
  });
}
