/** Who did something; `anonymous` is who came without a key that opens anything. */
export type AuditActor = { type: 'application' | 'system' | 'operator' | 'anonymous'; id: string };

/** One line of the audit log. Texts hold no secret, and are empty where there is nothing to say. */
export type AuditEntry = {
  occurredAt: Date;
  /** Undefined: it is not known whose it was. */
  tenantId: string | undefined;
  actor: AuditActor;
  /** The key, or session, that was used. */
  keyId: string;
  /** `read`, `update`: see the vocabulary of the audit log. */
  operation: string;
  /** `token`, `application`: see the vocabulary of the audit log. */
  entityType: string;
  entityId: string;
  outcome: 'succeeded' | 'refused';
  /** The HTTP status of the answer; 0 where no request was answered. */
  status: number;
  /** What was shown of a token (its transform), or the type of the event. */
  detail: string;
  /** Where the request came from: an IP address. */
  address: string;
  traceId: string;
  /** The event that this entry stands for, and the digest of its content. */
  event?: { id: string; digest: string } | undefined;
};

/** The audit log: entries are chained, so that whoever changes them later is found out. */
export interface Audit {
  /**
   * Durable, and anchored outside the database, when it returns.
   * @throws AuditUnavailable: nothing may be shown that is not written down
   */
  record(entries: readonly AuditEntry[]): Promise<void>;
}

/** The audit log cannot be written. */
export class AuditUnavailable extends Error {
  override readonly name = 'AuditUnavailable';
}

/** Which events have their entry in the audit log. */
export interface AuditedEvents {
  /** Those of the given ids that have one. @throws StoreUnavailable */
  among(eventIds: readonly string[]): Promise<Set<string>>;
}
