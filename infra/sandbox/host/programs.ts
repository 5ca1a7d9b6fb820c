import type { ProgramPayload } from '#infra/sandbox/messages.ts';

export type Programs = {
  get(id: string, version: string): ProgramPayload | undefined;
  set(id: string, version: string, payload: ProgramPayload): void;
};

/** What a further isolate of the same reactor can be loaded with, at most a megabyte of code. */
const most = 16;

/** The latest programs that were asked for, each in one version. */
export function createPrograms(): Programs {
  const known = new Map<string, { version: string; payload: ProgramPayload }>();
  return {
    get: (id, version) => {
      const program = known.get(id);
      return program?.version === version ? program.payload : undefined;
    },
    set: (id, version, payload) => {
      known.delete(id);
      known.set(id, { version, payload });
      for (const oldest of known.keys()) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
    },
  };
}
