import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Anchor, AnchoredHead, Anchors, Head } from '#infra/audit/anchors.ts';
import { createRegisterFile } from '#infra/audit/registerFile.ts';
import { makeDirectories } from '#infra/files/makeDirectories.ts';
import { errno } from '#src/errno.ts';

/** Heads are written to two places in turn: one that was cut short by a crash leaves the one before. */
const slotSize = 256;
const suffix = '.head';
/** Beside the heads, and copied with them. */
const registerName = `writers${suffix}`;
const writable = constants.O_WRONLY | constants.O_CREAT;

/**
 * Heads as files, one a writer, each signed. Their directory belongs where the database's administrators cannot
 * write: a mount of its own, or one that is copied to storage that cannot be overwritten.
 */
export function createAnchorFiles(directory: string, key: () => Promise<KeyObject>): Anchors {
  return {
    check: async () => {
      await makeDirectories(directory, 0o700);
      const probe = join(directory, `.${randomUUID()}`);
      await writeFile(probe, '', { mode: 0o600 });
      await unlink(probe);
    },
    open: async (writerId) => {
      await makeDirectories(directory, 0o700);
      const secret = await key();
      const path = join(directory, writerId + suffix);
      let turn = 0;
      // In the thread of a chain there is nothing else to do, and three turns through the pool of threads cost more.
      const replace = (head: Head): void => {
        const text = JSON.stringify({ ...head, signature: signatureOf(secret, head) });
        const slot = Buffer.from(`${text.padEnd(slotSize - 1)}\n`);
        // By its name each time: what lies there may have been moved away and put back.
        const file = openSync(path, writable, 0o600);
        try {
          writeSync(file, slot, 0, slotSize, slotSize * (turn++ % 2));
        } finally {
          closeSync(file);
        }
      };
      return {
        // Where chains are written, nothing else is done; three turns through the pool of threads cost more than this.
        write: (head) => Promise.try(replace, head),
      } satisfies Anchor;
    },
    heads: async () => {
      const names = (await namesIn(directory)).filter(
        (name) => name.endsWith(suffix) && name !== registerName,
      );
      const secret = await key();
      const heads = await Promise.all(names.map((name) => read(secret, directory, name)));
      return new Map(heads.map((head) => [head.writerId, head]));
    },
    register: createRegisterFile(join(directory, registerName), key),
  };
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (errno(error) === 'ENOENT') return [];
    throw error;
  }
}

async function read(key: KeyObject, directory: string, name: string): Promise<AnchoredHead> {
  const writerId = name.slice(0, -suffix.length);
  const content = await readFile(join(directory, name));
  const slots = [content.subarray(0, slotSize), content.subarray(slotSize)];
  const heads = slots.flatMap((slot) => headIn(key, slot.toString(), writerId) ?? []);
  const [newest] = heads.sort((a, b) => b.sequence - a.sequence);
  return newest ?? { writerId, damaged: true };
}

function headIn(key: KeyObject, text: string, writerId: string): Head | undefined {
  try {
    const { sequence, tag, signature } = JSON.parse(text) as Record<string, unknown>;
    if (typeof sequence !== 'number' || typeof tag !== 'string') return undefined;
    const head = { writerId, sequence, tag };
    const [given, right] = [Buffer.from(String(signature)), Buffer.from(signatureOf(key, head))];
    return given.length === right.length && timingSafeEqual(given, right) ? head : undefined;
  } catch {
    return undefined;
  }
}

const signatureOf = (key: KeyObject, { writerId, sequence, tag }: Head): string =>
  createHmac('sha256', key).update(`audit head of ${writerId}\n${sequence}\n${tag}`).digest('hex');
