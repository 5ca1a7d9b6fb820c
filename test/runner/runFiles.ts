import { join } from 'node:path';
import type { FileResult } from '#test/runner/results.ts';
import { brokenFile } from '#test/runner/results.ts';
import { WorkerProcess } from '#test/runner/workerProcess.ts';

export type RunFiles = {
  files: readonly string[];
  /** Processes at once. */
  atOnce: number;
  environment: NodeJS.ProcessEnv;
  temporary: string;
  signal: AbortSignal;
  bail: boolean;
  onResult(result: FileResult): void;
};

/** Runs the files in their order in some processes; what loads all cores by itself runs alone, at the end. */
export async function runFiles(options: RunFiles): Promise<FileResult[]> {
  const { files, atOnce } = options;
  const alone = files.filter(needsTheMachine);
  const others = files.filter((path) => !needsTheMachine(path));
  const results = await runSome(others, atOnce, 'shared', options);
  if (mustStop(options, results)) return results;
  return [...results, ...(await runSome(alone, 1, 'alone', options))];
}

/** Two such files at once would run out of time. */
const needsTheMachine = (path: string): boolean => /[/\\](chaos|fuzz)[/\\].*\.long\./.test(path);

const mustStop = ({ bail, signal }: RunFiles, results: readonly FileResult[]): boolean =>
  signal.aborted || (bail && results.some(({ failed }) => failed > 0));

async function runSome(
  files: readonly string[],
  atOnce: number,
  name: string,
  options: RunFiles,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const waiting = [...files];
  const add = (result: FileResult): void => {
    results.push(result);
    options.onResult(result);
  };
  const work = async (index: number): Promise<void> => {
    const directory = join(options.temporary, `${name}-${index}`);
    const worker = new WorkerProcess({ ...options.environment, TMPDIR: directory });
    const abort = (): void => {
      worker.kill();
    };
    options.signal.addEventListener('abort', abort);
    while (!mustStop(options, results)) {
      const path = waiting.shift();
      if (path === undefined) break;
      const result = await worker.run(path);
      // A file whose process was killed by an interruption did not fail: it was not run.
      if (!options.signal.aborted) add(result);
    }
    const wrong = options.signal.aborted ? undefined : await worker.end();
    if (wrong !== undefined) add(brokenFile(`worker ${index}`, wrong, '', 0));
    worker.kill();
    options.signal.removeEventListener('abort', abort);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, (_, index) => work(index)));
  return results;
}
