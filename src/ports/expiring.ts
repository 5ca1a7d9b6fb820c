export type Expired = { tenantId: string; id: string };

/** What has passed its time, over all tenants. */
export interface Expiring {
  tokens(now: Date, limit: number): Promise<Expired[]>;
  sessions(now: Date, limit: number): Promise<Expired[]>;
  applications(now: Date, limit: number): Promise<Expired[]>;
}
