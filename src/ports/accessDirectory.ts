import type { AccessRule, ApplicationType } from '#domain/application/events.ts';
import type { SessionRule } from '#domain/session/events.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';

/** What a caller holds. */
type Held = { permissions: readonly string[]; rules: readonly (AccessRule | SessionRule)[] };

/** The application or session behind a key, with its rights as they are now; rules by ascending priority. */
export type Caller = Held & {
  tenantId: string;
  /** Of a session: the public application that opened it. */
  applicationId: string;
  /** Of a session: its own id. Empty where no key was used. */
  keyId: string;
  type: ApplicationType | 'session';
  /** Of a session: what the application that vouches for it holds. */
  within?: Held;
  tenantSettings: TenantSettings;
  /** Whether the application, or the one that opened the session, is told fingerprints whatever it may read. */
  publicFingerprints?: boolean;
  /** Of a public application, or the one that opened the session: pages of others are refused. Absent or empty: of none. */
  origins?: readonly string[];
};

/** Tells who a key belongs to, and what applications may do; what it knows is at most a second old. */
export interface AccessDirectory {
  /** Undefined for unknown, revoked and expired keys. @throws StoreUnavailable */
  find(key: string): Promise<Caller | undefined>;
  /** What code that runs for an application may do. Undefined once it is deleted or expired. @throws StoreUnavailable */
  ofApplication(tenantId: string, applicationId: string): Promise<Caller | undefined>;
}
