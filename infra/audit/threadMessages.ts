import type { KeyObject } from 'node:crypto';
import type { Connection } from '#infra/postgres/connection.ts';

export type ThreadSettings = {
  connection: Connection;
  /** Of the heads. */
  directory: string;
  key: KeyObject;
};

/** Lines without numbers, to be written; or the end. */
export type ToAuditThread = { delivery: number; bodies: string[] } | { close: true };

/** Which deliveries are written, and which are not, with the reason for the log. */
export type FromAuditThread = { written: number[]; failed: { delivery: number; failure: string }[] };
