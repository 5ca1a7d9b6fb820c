import { setting } from '#src/setting.ts';
import type { Setting } from '#src/setting.ts';
import { urlOf } from '#src/settingValues.ts';

const protocols = ['postgres:', 'postgresql:'];

const loginSetting = (role: 'API' | 'VAULT' | 'LOG', what: string): Setting<string | undefined> => {
  const name = `DATABASE_URL_${role}`;
  return setting(
    name,
    'unset: `DATABASE_URL`, by `set role`',
    `The same database for ${what}, as a user with the rights of \`holdfast_${role.toLowerCase()}\` and no others.`,
    (text) => (text === undefined ? undefined : urlOf(name, text, protocols)),
  );
};

/** Where PostgreSQL is, and as whom Holdfast logs in. */
export const databaseSettings = {
  databaseUrl: setting(
    'DATABASE_URL',
    'unset: embedded PostgreSQL',
    'A PostgreSQL (16 or later) to use instead of the embedded one: `postgres://user:password@host/database`.',
    (text) => (text === undefined ? undefined : urlOf('DATABASE_URL', text, protocols)),
  ),
  databaseUrlApi: loginSetting('API', 'requests'),
  databaseUrlVault: loginSetting('VAULT', 'secrets and keys'),
  databaseUrlLog: loginSetting('LOG', 'the event log'),
} as const;

/** The settings of logins, by role. */
export const loginSettings = {
  api: 'databaseUrlApi',
  vault: 'databaseUrlVault',
  log: 'databaseUrlLog',
} as const;
