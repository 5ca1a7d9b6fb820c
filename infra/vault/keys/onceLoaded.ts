import type { KeyObject } from 'node:crypto';

/** Loads a key at its first use; a failure is tried again at the next. */
export function onceLoaded(load: () => Promise<KeyObject>): () => Promise<KeyObject> {
  let loaded: Promise<KeyObject> | undefined;
  return () => {
    if (loaded === undefined) {
      loaded = load();
      loaded.catch(() => {
        loaded = undefined;
      });
    }
    return loaded;
  };
}
