import { join } from 'node:path';

/** Where runs keep what later ones may use: it goes with `node_modules`. */
export const cachePath = (name: string): string => join('node_modules', '.cache', 'holdfast', name);
