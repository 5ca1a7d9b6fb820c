/** A message for one webhook. */
export type DeliveryToMake = {
  tenantId: string;
  /** Derived from webhook and event: a repetition is recognised. */
  id: string;
  webhookId: string;
  /** Of the event, and of the message whoever receives it. */
  eventId: string;
  kind: string;
  /** What it is about: messages of one subject are sent one after the other. */
  subject: string;
  /** As it is sent, every time. Holds no secrets. */
  body: string;
};

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export type Delivery = {
  id: string;
  webhookId: string;
  eventId: string;
  kind: string;
  status: DeliveryStatus;
  attempts: number;
  /** The HTTP status that came back, or the kind of obstacle; undefined before the first attempt. */
  outcome: string | undefined;
  responseStatus: number | undefined;
  /** Of the last attempt. */
  milliseconds: number | undefined;
  lastAttemptAt: Date | undefined;
  /** When it is tried next; undefined: it is not. */
  nextAttemptAt: Date | undefined;
  createdAt: Date;
  ordinal: string;
};

/** A place in a list of deliveries. */
export type DeliveryPlace = { ordinal: string };

/** What requests are told of deliveries, and may ask of them. */
export interface WebhookDeliveries {
  /** Newest first. @throws StoreUnavailable */
  list(
    tenantId: string,
    webhookId: string,
    wanted: { status?: DeliveryStatus | undefined; after?: string | undefined; size: number },
  ): Promise<Delivery[]>;
  /** @throws StoreUnavailable */
  has(tenantId: string, webhookId: string, id: string): Promise<boolean>;
  /** Replays that are not done yet; one that was asked for a moment ago may be missing. @throws StoreUnavailable */
  openReplays(tenantId: string, webhookId: string): Promise<number>;
}

/** A replay that was asked for. */
export type Replay = { tenantId: string; id: string; webhookId: string; from: string; to: string };

/** A delivery that is to be made due at once, with all its attempts before it. */
export type DeliveryToRetry = { tenantId: string; webhookId: string; id: string };

/** Every event up to this position occurred before this moment, or in its minute. */
export type LogTime = { occurredAt: Date; position: string };

/** What a page of events comes to, to be kept all or nothing; again is harmless. */
export type FanOut = {
  deliveries: readonly DeliveryToMake[];
  retries: readonly DeliveryToRetry[];
  /** Webhooks that were changed by a client: whether they fail is found out anew. */
  changed: readonly string[];
  deleted: readonly { tenantId: string; webhookId: string }[];
  replays: readonly (Replay & { lastPosition: string })[];
  /** How far this page brings the log in time. */
  readTo: LogTime;
};

/** What is still to be sent, as subscribers add to it. */
export interface WebhookOutbox<Transaction> {
  add(transaction: Transaction, fanOut: FanOut): Promise<void>;
  forgetTenant(transaction: Transaction, tenantId: string): Promise<void>;
}
