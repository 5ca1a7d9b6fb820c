import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilledRequest } from '#test/fuzz/support/fill.ts';

/** Longer bodies, and those that a shell does not carry, go to a file. */
const longestQuoted = 2_000;

/** What was found wrong, once for each operation and kind. */
export class Faults {
  readonly #found = new Map<string, { times: number; example: string }>();

  get count(): number {
    return this.#found.size;
  }

  /** @param example how to see it again; asked for the first time only */
  async add(subject: string, fault: string, example: () => string | Promise<string>): Promise<void> {
    const key = `${subject}: ${fault}`;
    const found = this.#found.get(key);
    if (found !== undefined) {
      found.times += 1;
      return;
    }
    const added = { times: 1, example: '' };
    this.#found.set(key, added);
    added.example = await example();
  }

  toString(): string {
    return [...this.#found]
      .map(([key, { times, example }]) => `${key} (${times} times)\n${example}`)
      .join('\n\n');
  }
}

/** The command that makes a request again. */
export async function curlOf(
  origin: string,
  { method, target, headers, body }: FilledRequest,
): Promise<string> {
  const words = ['curl', '-i', '--path-as-is', '-X', method, quoted(`${origin}${target}`)];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quoted(`${name}: ${value}`));
  if (body !== undefined) words.push('--data-binary', await dataWord(body));
  return words.join(' ');
}

/** The command that sends bytes again. */
export async function rawCommandOf(port: number, text: string): Promise<string> {
  return `nc -q1 127.0.0.1 ${port} < ${await fileWith(Buffer.from(text, 'latin1'))}`;
}

async function dataWord(body: string): Promise<string> {
  const isPlain = body.length <= longestQuoted && /^[\x20-\x7e]*$/.test(body) && !body.startsWith('@');
  return isPlain ? quoted(body) : `@${await fileWith(Buffer.from(body))}`;
}

async function fileWith(bytes: Uint8Array): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'holdfast-fuzz-')), 'body');
  await writeFile(file, bytes);
  return file;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
