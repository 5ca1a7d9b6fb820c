import pino from 'pino';
import type { Config } from '#src/config.ts';

/** JSON lines on standard output. What is logged are ids and counts; bodies never get here. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, name: string): pino.Logger {
  return pino({ name, level: logLevel, base: { name, pid: process.pid } });
}
