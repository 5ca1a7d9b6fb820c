import type pg from 'pg';
import type { KeyHolder } from '#infra/vault/keys/tenantKeys.ts';

/** What key administration works with: connections as the owner, who sees all tenants, and the root key. */
export type Administration = KeyHolder & { pool: pg.Pool };

export type Progress = { done: number; total: number };
export type OnProgress = (progress: Progress) => void;
