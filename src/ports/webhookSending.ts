/** A delivery that a worker has taken. */
export type ClaimedDelivery = {
  tenantId: string;
  id: string;
  webhookId: string;
  eventId: string;
  subject: string;
  body: string;
  /** That were made before. */
  attempts: number;
  dueAt: Date;
  /** It was asked for by a replay, and so waits for what is new. */
  replayed: boolean;
};

/** Where deliveries of a webhook go, and what signs them. */
export type Endpoint = {
  tenantId: string;
  webhookId: string;
  url: string;
  /** One, or two while a secret is replaced. */
  secrets: readonly string[];
};

export type Attempt = {
  accepted: boolean;
  outcome: string;
  status: number | undefined;
  milliseconds: number;
  /** In milliseconds. */
  retryAfter: number | undefined;
};

/** An attempt, for those who watch the service: nothing of it is somebody's. */
export type ObservedAttempt = {
  /** What became of the delivery. */
  status: 'pending' | 'delivered' | 'failed';
  outcome: string;
  milliseconds: number;
  /** From when it was due to when it was begun, in milliseconds. */
  late: number;
  replayed: boolean;
};

/** What is waiting to be sent. */
export type WebhookBacklog = {
  /** Now, and to be tried later. */
  due: number;
  waiting: number;
  /** For how long the oldest is due, in seconds. */
  oldestDue: number;
};

/** What is known of sending that the queue of deliveries is not. */
export interface WebhookSending {
  /** `disabled` also: it is gone. Asked before each handful of deliveries. */
  endpoint(tenantId: string, webhookId: string): Promise<Endpoint | 'disabled'>;
  /** Sends once. @throws the signal's reason, and whatever is not the receiver's fault */
  attempt(endpoint: Endpoint, delivery: ClaimedDelivery, signal: AbortSignal): Promise<Attempt>;
  /** Takes a webhook out of service. */
  disable(endpoint: Endpoint, reason: 'gone' | 'failing'): Promise<void>;
}
