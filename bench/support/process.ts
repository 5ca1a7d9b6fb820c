import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a file of `bench/processes` with one argument, and answers what it says before it ends. */
export function runProcess<Answer>(name: string, argument: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const child = fork(fileURLToPath(new URL(`../processes/${name}.ts`, import.meta.url)), [
    JSON.stringify(argument),
  ]);
  child.once('message', (answer) => {
    resolve(answer as Answer);
  });
  child.once('exit', (code) => {
    reject(new Error(`${name} ended with ${code} before it answered`));
  });
  return promise;
}

/** The other side of {@link runProcess}. */
export async function answerProcess<Argument, Answer>(
  run: (argument: Argument) => Promise<Answer>,
): Promise<void> {
  const answer = await run(JSON.parse(process.argv[2] ?? '{}') as Argument);
  process.send?.(answer, undefined, undefined, () => {
    process.exit(0);
  });
}
