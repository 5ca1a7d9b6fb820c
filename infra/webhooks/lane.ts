import { Wakeup } from '#infra/eventlog/wakeup.ts';
import { endpointLease } from '#infra/webhooks/claim.ts';
import type { Portion, ServedEndpoint } from '#infra/webhooks/claim.ts';
import type { Pace } from '#infra/webhooks/pace.ts';
import type { DeliveryQueue } from '#infra/webhooks/queue.ts';
import { Recorder } from '#infra/webhooks/recorder.ts';
import { Taken } from '#infra/webhooks/taken.ts';
import { pauseAfter, verdictOn } from '#infra/webhooks/verdict.ts';
import type { ClaimedDelivery, Endpoint, ObservedAttempt, WebhookSending } from '#ports/webhookSending.ts';

/** For each request at a time, so many deliveries are taken together. */
const depth = 8;
/** Of what is taken: many messages about one thing wait for one another, and others do not wait for them. */
const mostTaken = 1_024;
/** It looks after itself this often, in milliseconds, whatever happens. */
const longestWait = 1_000;

export type LaneSettings = {
  queue: DeliveryQueue;
  sending: WebhookSending;
  /** Before the retries, in milliseconds. */
  delays: readonly number[];
  /** Begins nothing more. */
  stopped: AbortSignal;
  /** Gives up what is under way. */
  signal: AbortSignal;
  observe: (attempt: ObservedAttempt) => void;
  pace: Pace;
};

/** Sends to one endpoint what is due there, once. Endpoints share nothing, so that none waits for another. */
export class Lane {
  readonly #settings: LaneSettings;
  readonly #taken = new Taken();
  readonly #untried: ClaimedDelivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #wakeup = new Wakeup();
  readonly #recorder: Recorder;
  #served: ServedEndpoint;
  #endpoint: Endpoint | 'disabled' | undefined;
  #taking: Promise<void> | undefined;
  #mayBeMore = true;
  /** By then another worker may have inherited the endpoint. */
  #servedUntil = 0;
  /** What was taken is not what is to be sent next: once all has been written down, it is taken anew. */
  #startsOver = false;
  #retriedLast = false;
  /** What went wrong here, and not at the receiver's. */
  #failure: { error: unknown } | undefined;

  constructor(settings: LaneSettings, served: ServedEndpoint) {
    this.#settings = settings;
    this.#served = served;
    const onFailure = this.#fail.bind(this);
    this.#recorder = new Recorder({ ...settings, onFailure });
  }

  /** It is going to look for more, or would if it had not ended. */
  get isBehind(): boolean {
    return this.#mayBeMore;
  }

  /** Something fell due, or the webhook was changed, in which case nothing more is sent as it was. */
  wake(served: ServedEndpoint): void {
    if (served.changes !== this.#served.changes) this.#startOver();
    this.#served = served;
    this.#mayBeMore = true;
    this.#wakeup.wake();
  }

  /** Somebody asked for something: it goes before what was taken. */
  hurry(): void {
    this.#settings.pace.hurry(this.#underWay.size);
    this.#startOver();
    this.#wakeup.wake();
  }

  /** It may go on serving its endpoint. @param at by `performance.now()`, before it was asked */
  renewed(at: number): void {
    this.#servedUntil = at + endpointLease;
  }

  /** To be called when the signals abort. */
  stop(): void {
    this.#wakeup.wake();
  }

  /**
   * Sends until nothing is due, or it is stopped.
   * @throws what went wrong here; what was taken is tried again
   */
  async serve(): Promise<void> {
    const { queue } = this.#settings;
    const { webhookId } = this.#served;
    await this.#send().catch(this.#fail.bind(this));
    await this.#taking;
    await Promise.all(this.#underWay);
    await this.#recorder.written();
    await queue.release(webhookId, [...this.#untried, ...this.#taken.empty()]);
    if (this.#isDisabled) await queue.giveUp(this.#served, 'disabled');
    // What could not be written down is not to be sent again at once.
    if (this.#failure !== undefined) throw this.#failure.error as Error;
    await queue.leave(webhookId);
  }

  get #isDisabled(): boolean {
    return this.#endpoint === 'disabled' || this.#recorder.hasDisabled;
  }

  get #mayGoOn(): boolean {
    return !this.#isDisabled && this.#failure === undefined && !this.#settings.stopped.aborted;
  }

  async #send(): Promise<void> {
    const { pace } = this.#settings;
    this.#mayBeMore = true;
    while (this.#mayGoOn) {
      if (this.#isStale) await this.#giveBack();
      if (pace.rest > 0) {
        await this.#wakeup.wait(pace.rest);
        continue;
      }
      if (this.#shouldTake) this.#taking = this.#take();
      if (this.#beginNext()) continue;
      if (this.#isIdle) return;
      await this.#wakeup.wait(longestWait);
    }
  }

  get #isStale(): boolean {
    return this.#taken.isStale || (this.#taken.size > 0 && performance.now() >= this.#servedUntil);
  }

  get #hasRoom(): boolean {
    return this.#underWay.size < this.#settings.pace.width;
  }

  get #isIdle(): boolean {
    return (
      !this.#mayBeMore && this.#taking === undefined && this.#underWay.size === 0 && this.#taken.size === 0
    );
  }

  /** While it fails, what goes next is decided as late as can be, because something may be asked for. */
  get #shouldTake(): boolean {
    if (!this.#mayBeMore || this.#taking !== undefined) return false;
    const { size, mayBegin } = this.#taken;
    const { pace } = this.#settings;
    if (pace.isFailing) return size === 0 && this.#hasRoom;
    return size < pace.width || (!mayBegin && this.#hasRoom && size < mostTaken);
  }

  /** Takes a handful while others are under way; never rejects. */
  async #take(): Promise<void> {
    try {
      await this.#takeOnce();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#taking = undefined;
      this.#wakeup.wake();
    }
  }

  async #takeOnce(): Promise<void> {
    const { queue, sending } = this.#settings;
    if (this.#startsOver) await this.#recorder.written();
    this.#startsOver = false;
    this.#mayBeMore = false;
    const served = this.#served;
    this.#endpoint = await sending.endpoint(served.tenantId, served.webhookId);
    if (this.#endpoint === 'disabled') return;
    const portion = this.#portion();
    const at = performance.now();
    let claimed = await queue.claim(served, portion);
    if (claimed.length === 0 && portion.retried === 0) {
      claimed = await queue.claim(served, { ...portion, retried: portion.most });
    }
    if (claimed.length > 0) {
      this.#retriedLast = claimed.some(({ attempts }) => attempts > 0);
      this.renewed(at);
      this.#mayBeMore = true;
    }
    this.#taken.add(claimed);
    if (this.#startsOver) this.#taken.expire();
  }

  /** What is tried again gets half, so that neither it nor what is new waits for all of the other. */
  #portion(): Portion {
    const { width, isFailing } = this.#settings.pace;
    const most = isFailing ? width : width * depth;
    const retried = most > 1 ? Math.ceil(most / 2) : Number(!this.#retriedLast);
    return { most, retried, replayed: width };
  }

  /** What is being taken comes behind what was taken, and so is waited for and given back too. */
  async #giveBack(): Promise<void> {
    await this.#taking;
    await this.#settings.queue.release(this.#served.webhookId, this.#taken.empty());
    this.#mayBeMore = true;
  }

  #beginNext(): boolean {
    const endpoint = this.#endpoint;
    if (!this.#hasRoom || endpoint === undefined || endpoint === 'disabled') return false;
    const delivery = this.#taken.begin();
    if (delivery === undefined) return false;
    const attempt = this.#attempt(endpoint, delivery).finally(() => {
      this.#taken.end(delivery);
      this.#underWay.delete(attempt);
      this.#wakeup.wake();
    });
    this.#underWay.add(attempt);
    return true;
  }

  /** Never rejects. What is given up counts for nothing. */
  async #attempt(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<void> {
    const { sending, signal, delays, observe, pace } = this.#settings;
    const late = Math.max(0, Date.now() - delivery.dueAt.getTime());
    try {
      const attempt = await sending.attempt(endpoint, delivery, signal);
      pace.note(attempt.accepted);
      if (attempt.status === 410 || pauseAfter(attempt) > 0) this.#startOver();
      const verdict = verdictOn(delivery, attempt, delays);
      this.#recorder.add(endpoint, verdict);
      observe({ ...verdict, late, replayed: delivery.replayed });
    } catch (error) {
      this.#untried.push(delivery);
      if (!signal.aborted) this.#fail(error);
    }
  }

  #startOver(): void {
    this.#startsOver = true;
    this.#taken.expire();
    this.#mayBeMore = true;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wakeup.wake();
  }
}
