import { execFile } from 'node:child_process';
import type { Identity } from '#infra/postgres/embedded/identity.ts';

/** What became of a program: `failure` is the system's error code or the exit status, undefined on success. */
export type Outcome = { failure: string | undefined; output: string; complaint: string };

/** Nothing of our environment reaches Postgres: PG* variables and locales would change what it does. */
export const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program to its end, as another user where one is given. Never throws. */
export function run(
  program: string,
  parameters: readonly string[],
  as?: Identity,
  directory = '/',
): Promise<Outcome> {
  const options = { cwd: directory, env: cleanEnvironment, ...as };
  return new Promise((resolve) => {
    execFile(program, parameters, options, (error, output, complaint) => {
      const failure = error === null ? undefined : String(error.code ?? error.signal);
      resolve({ failure, output, complaint });
    });
  });
}
