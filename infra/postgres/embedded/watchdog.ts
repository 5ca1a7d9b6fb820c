import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Identity } from '#infra/postgres/embedded/identity.ts';
import { cleanEnvironment } from '#infra/postgres/embedded/run.ts';

/**
 * Reads process ids, the last one counts; when the pipe closes, its other end has died: fast shutdown, after
 * 5 s immediate shutdown, after 2 s more the end.
 */
const script = `
trap '' HUP INT TERM
pid=
while read -r line; do pid=$line; done
insist() {
  kill -"$1" "$pid" 2>/dev/null || return 0
  tries=$2
  while [ "$tries" -gt 0 ]; do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
    tries=$((tries - 1))
  done
  return 1
}
if [ "$pid" = done ]; then exit; fi
if [ -n "$pid" ]; then insist INT 50 || insist QUIT 20 || kill -KILL "$pid"; fi
rm -rf "$1"
`;

/**
 * A small process of its own session that ends Postgres when this process is gone without having done it
 * itself, by SIGKILL for instance. No Postgres is ever left without an owner.
 */
export class Watchdog {
  readonly #socketDirectory: string;
  readonly #identity: Identity | undefined;
  #shell: ChildProcessByStdio<Writable, null, null>;
  #watched = '';

  constructor(socketDirectory: string, identity: Identity | undefined) {
    this.#socketDirectory = socketDirectory;
    this.#identity = identity;
    this.#shell = this.#spawn();
  }

  /** Ends this process when we die; undefined: there is none at the moment. */
  watch(pid: number | undefined): void {
    this.#watched = pid === undefined ? '' : String(pid);
    this.#tell(this.#watched);
  }

  /** Lets the watchdog go, without doing anything. */
  dismiss(): void {
    this.#shell.removeAllListeners('exit');
    this.#tell('done');
    this.#shell.stdin.end();
  }

  #spawn(): ChildProcessByStdio<Writable, null, null> {
    const shell = spawn('sh', ['-c', script, 'holdfast-watchdog', this.#socketDirectory], {
      ...this.#identity,
      cwd: '/',
      env: cleanEnvironment,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Somebody ended the watchdog: another one takes its place.
    shell.once('exit', () => {
      this.#shell = this.#spawn();
      this.#tell(this.#watched);
    });
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    return shell;
  }

  #tell(line: string): void {
    this.#shell.stdin.write(`${line}\n`);
  }
}
