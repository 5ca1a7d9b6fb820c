import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { accountUpdaterCommand } from '#src/cli/accountUpdater.ts';
import { auditCommand } from '#src/cli/audit.ts';
import { backupCommand } from '#src/cli/backup.ts';
import { keysCommand } from '#src/cli/keys.ts';
import { projectionsCommand } from '#src/cli/projections.ts';
import { restoreCommand } from '#src/cli/restore.ts';
import { subscribersCommand } from '#src/cli/subscribers.ts';
import { tenantCommand } from '#src/cli/tenant.ts';
import { verifyCommand } from '#src/cli/verify.ts';
import { start } from '#src/main/start.ts';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

/** `holdfast`: every operation of the command line. */
export async function main(): Promise<void> {
  const program = new Command('holdfast')
    .description('A self-hosted, event-sourced vault. Settings are environment variables: see the README.')
    .version(version, '-v, --version', 'print the version')
    .showHelpAfterError();
  program
    .command('start')
    .description('run the service until it is told to stop (SIGTERM, Ctrl-C)')
    .action(start);
  program.addCommand(tenantCommand());
  program.addCommand(projectionsCommand());
  program.addCommand(subscribersCommand());
  program.addCommand(keysCommand());
  program.addCommand(auditCommand());
  program.addCommand(accountUpdaterCommand());
  program.addCommand(backupCommand());
  program.addCommand(restoreCommand());
  program.addCommand(verifyCommand());
  await program.parseAsync();
}
