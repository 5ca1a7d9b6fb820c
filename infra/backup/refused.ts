import { StartupError } from '#src/startupError.ts';

/** Why a backup cannot be made, restored or trusted: one sentence for the operator. */
export class BackupRefused extends StartupError {
  override readonly name: string = 'BackupRefused';
}
