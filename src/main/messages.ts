import type pg from 'pg';

/** What the main process tells an API process. */
export type ToApiProcess = { type: 'serve'; connection: pg.ClientConfig } | { type: 'stop' };

/** What an API process tells the main process. */
export type FromApiProcess =
  | { type: 'listening'; port: number; hosts: string[] }
  /** One sentence on why it cannot serve; it ends itself. */
  | { type: 'failed'; message: string };
