import type { Connection } from '#infra/postgres/connection.ts';

export type ServeOrder = {
  type: 'serve';
  connection: Connection;
  /** In place of the port of the settings. */
  port?: number;
};

/** What the main process tells an API process. Others send messages too: each type is looked for by name. */
export type ToApiProcess =
  | ServeOrder
  | { type: 'stop' }
  /** The answer to a request for metrics. */
  | { type: 'metrics'; request: number; text: string };

/** What an API process tells the main process. */
export type FromApiProcess =
  | { type: 'listening'; port: number; hosts: string[] }
  /** One sentence on why it cannot serve; it ends itself. */
  | { type: 'failed'; message: string }
  /** Somebody wants the metrics of the whole service. */
  | { type: 'metrics'; request: number };

/** What the main process tells a process of the account updater. */
export type ToUpdaterProcess = { type: 'work'; connection: Connection } | { type: 'stop' };
