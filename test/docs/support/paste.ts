import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import type { ServiceProcess } from '#test/support/service.ts';

/** Pastes the `bash` blocks of a page into a shell, one after the other. Answers what each of them printed. */
export async function pasteBlocks(
  page: string,
  { dataDirectory, port }: Pick<ServiceProcess, 'dataDirectory' | 'port'>,
  environment: Record<string, string> = {},
): Promise<string[]> {
  const blocks = [...page.matchAll(/```bash\n([^]*?)```/g)].map(([, block]) => block ?? '');
  const script = blocks.map((block) => `${block}\necho; echo '<step>'`).join('\n');
  const shell = spawn('bash', ['-e'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Pages make temporary files that their readers may want to look at.
    env: {
      ...process.env,
      TMPDIR: dataDirectory,
      HOLDFAST_DATA_DIR: dataDirectory,
      PORT: String(port),
      ...environment,
    },
  });
  let printed = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  shell.stdin.end(script);
  const [code] = (await once(shell, 'close')) as [number];
  assert.is(code, 0, printed);
  const steps = printed.split('<step>\n').map((step) => step.trim());
  assert.is(steps.pop(), '');
  assert.is(steps.length, blocks.length);
  return steps;
}
