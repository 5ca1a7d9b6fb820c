import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import type { RegisterAnchor, RegisterHead } from '#infra/audit/anchors.ts';
import { makeDirectories } from '#infra/files/makeDirectories.ts';
import { errno } from '#src/errno.ts';

/** The count is written to two places, one after the other: one that was cut short by a crash leaves the other. */
const slotSize = 256;

/**
 * The number of writers as a file, signed. Processes share it. Unlike heads it keeps no earlier state, which somebody
 * could bring back by spoiling the newer one.
 */
export function createRegisterFile(path: string, key: () => Promise<KeyObject>): RegisterAnchor {
  const read = async (): Promise<RegisterHead | undefined> => {
    const content = await contentOf(path);
    const secret = await key();
    const heads = [content.subarray(0, slotSize), content.subarray(slotSize)].flatMap(
      (slot) => headIn(secret, slot.toString()) ?? [],
    );
    return heads.sort((a, b) => b.count - a.count)[0];
  };
  return {
    read,
    write: async (head) => {
      await makeDirectories(dirname(path), 0o700);
      const known = await read();
      if (known !== undefined && known.count > head.count) return;
      const text = JSON.stringify({ ...head, signature: signatureOf(await key(), head) });
      const slot = Buffer.from(`${text.padEnd(slotSize - 1)}\n`);
      const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
      try {
        for (const place of [0, slotSize]) await file.write(slot, 0, slotSize, place);
      } finally {
        await file.close();
      }
    },
  };
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errno(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function headIn(key: KeyObject, text: string): RegisterHead | undefined {
  try {
    const { count, tag, signature } = JSON.parse(text) as Record<string, unknown>;
    if (typeof count !== 'number' || typeof tag !== 'string') return undefined;
    const [given, right] = [Buffer.from(String(signature)), Buffer.from(signatureOf(key, { count, tag }))];
    return given.length === right.length && timingSafeEqual(given, right) ? { count, tag } : undefined;
  } catch {
    return undefined;
  }
}

const signatureOf = (key: KeyObject, { count, tag }: RegisterHead): string =>
  createHmac('sha256', key).update(`audit writers\n${count}\n${tag}`).digest('hex');
