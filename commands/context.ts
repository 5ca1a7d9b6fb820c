import type { TenantSettings } from '#domain/tenant/state.ts';
import type { Rights } from '#access/evaluate.ts';
import type { Clock } from '#ports/clock.ts';
import type { Credentials } from '#ports/credentials.ts';
import type { Actor, EventLog } from '#ports/eventLog.ts';
import type { FingerprintClaims } from '#ports/fingerprintClaims.ts';
import type { StateSigner } from '#ports/stateSigner.ts';
import type { UnfinishedBatches } from '#ports/unfinishedBatches.ts';
import type { Vault } from '#ports/vault.ts';
import type { Views } from '#ports/views.ts';

/** What commands need from the outside. */
export type CommandDependencies = {
  log: EventLog;
  vault: Vault;
  credentials: Credentials;
  views: Views;
  clock: Clock;
  stateSigner: StateSigner;
  fingerprintClaims: FingerprintClaims;
  unfinishedBatches: UnfinishedBatches;
};

/** Who commands what, and how it is traced. */
export type CommandContext = {
  tenantId: string;
  actor: Actor;
  rights: Rights;
  /** Whose rights say which tokens may be answered instead of equal new ones. Default: `rights`. */
  meets?: Rights | 'all';
  /** What the tenant has turned on; nothing, where no request asked. */
  tenantSettings?: TenantSettings;
  /** Always a uuid. */
  traceId: string;
  /** The IP address that the request came from, when one asked. */
  address?: string;
  /** The key, or session, that was used. */
  keyId?: string | undefined;
  /** A random uuid; everything that the command makes derives its ids from it. */
  commandId: string;
  /** Whether a command of this id may have run before: its stream is then looked at first. */
  repeated: boolean;
};

/** What a command answers. */
export type Outcome<Result> = {
  result: Result;
  /** Whether the read models may not show the change yet. */
  stale: boolean;
};
