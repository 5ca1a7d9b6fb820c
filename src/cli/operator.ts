import { userInfo } from 'node:os';
import type { Config } from '#src/config.ts';

/**
 * Who runs a command: who the settings say, else the user of the system. It is what the audit log and events name; it is
 * believed, not proved.
 */
export const operatorOf = ({ operator }: Pick<Config, 'operator'>): { type: 'operator'; id: string } => ({
  type: 'operator',
  id: operator ?? systemUser(),
});

/** Users without a name, as in containers, have a number. */
function systemUser(): string {
  try {
    return userInfo().username.replace(/\p{C}/gu, ' ');
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
