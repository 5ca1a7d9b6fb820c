import { readFileSync } from 'node:fs';
import { Command } from 'commander';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

/** By name, in the order of the help. Each loads by itself: a service that was killed is waited for. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('#src/cli/start.ts')).startCommand(),
  tenant: async () => (await import('#src/cli/tenant.ts')).tenantCommand(),
  projections: async () => (await import('#src/cli/projections.ts')).projectionsCommand(),
  subscribers: async () => (await import('#src/cli/subscribers.ts')).subscribersCommand(),
  log: async () => (await import('#src/cli/log.ts')).logCommand(),
  keys: async () => (await import('#src/cli/keys.ts')).keysCommand(),
  audit: async () => (await import('#src/cli/audit.ts')).auditCommand(),
  'account-updater': async () => (await import('#src/cli/accountUpdater.ts')).accountUpdaterCommand(),
  database: async () => (await import('#src/cli/database.ts')).databaseCommand(),
  backup: async () => (await import('#src/cli/backup.ts')).backupCommand(),
  restore: async () => (await import('#src/cli/restore.ts')).restoreCommand(),
  verify: async () => (await import('#src/cli/verify.ts')).verifyCommand(),
};

/** `holdfast`: every operation of the command line. */
export async function main(): Promise<void> {
  const program = new Command('holdfast')
    .description('A self-hosted, event-sourced vault. Settings are environment variables: see the README.')
    .version(version, '-v, --version', 'print the version')
    .showHelpAfterError();
  for (const load of wanted(process.argv[2])) program.addCommand(await load());
  await program.parseAsync();
}

/** The command of this name; all of them where there is none, for the help. */
const wanted = (name = ''): readonly (() => Promise<Command>)[] =>
  Object.entries(commands).flatMap(([each, load]) =>
    each === name || !Object.hasOwn(commands, name) ? [load] : [],
  );
