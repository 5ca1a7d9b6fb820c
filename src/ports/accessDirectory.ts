import type { AccessRule, ApplicationType } from '#domain/application/events.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';

/** The application behind a key, with its rights as they are now. */
export type Caller = {
  tenantId: string;
  applicationId: string;
  keyId: string;
  type: ApplicationType;
  permissions: readonly string[];
  /** By ascending priority. */
  rules: readonly AccessRule[];
  tenantSettings: TenantSettings;
};

/** Tells who a key belongs to; what it knows is at most a second old. */
export interface AccessDirectory {
  /** Undefined for unknown, revoked and expired keys. @throws StoreUnavailable */
  find(key: string): Promise<Caller | undefined>;
}
