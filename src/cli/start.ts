import { Command } from 'commander';
import { start } from '#src/main/start.ts';

export const startCommand = (): Command =>
  new Command('start')
    .description('run the service until it is told to stop (SIGTERM, Ctrl-C)')
    .action(start);
