/** Messages by the path of what is wrong: `data.routing_number`, `rules[0].permissions`. */
export type Faults = Record<string, string[]>;

/**
 * A refusal that the caller is told about. The closed family below is all there is; http maps each member to
 * one status.
 */
export abstract class Refused extends Error {
  /** What it is about, where that is known to be there; the audit log names it. */
  entityId?: string;

  about(entityId: string): this {
    this.entityId = entityId;
    return this;
  }
}

/** Something in the request is wrong; every fault is named by its path. */
export class ValidationFailed extends Refused {
  override readonly name = 'ValidationFailed';
  readonly faults: Faults;
  constructor(faults: Faults) {
    super('The inputs supplied to the API are invalid');
    this.faults = faults;
  }
}

/** No key, or one that opens nothing. */
export class Unauthenticated extends Refused {
  override readonly name = 'Unauthenticated';
}

/** The caller is known and may not do this. */
export class Forbidden extends Refused {
  override readonly name = 'Forbidden';
}

export class NotFound extends Refused {
  override readonly name = 'NotFound';
}

/** It exists already, or somebody else is at it. */
export class Conflicted extends Refused {
  override readonly name = 'Conflicted';
}

/** The request is well formed, and cannot be carried out as things are. */
export class Unprocessable extends Refused {
  override readonly name = 'Unprocessable';
}

export class PayloadTooLarge extends Refused {
  override readonly name = 'PayloadTooLarge';
}

export class UnsupportedMediaType extends Refused {
  override readonly name = 'UnsupportedMediaType';
}

/** The client made too many requests. */
export class RateLimited extends Refused {
  override readonly name = 'RateLimited';
}

/** Something that the service stands on cannot be reached; nothing was acknowledged. */
export class Unavailable extends Refused {
  override readonly name = 'Unavailable';
}
