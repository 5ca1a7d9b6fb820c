import { authorOf } from '#domain/event.ts';
import type { DomainEvent } from '#domain/event.ts';

/** Who made a thing, and who changed it last; undefined where that was no application, or nobody. */
export type Authorship = {
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
};

type Told = Pick<DomainEvent, 'metadata'>;

export const creation = (event: Told): Authorship => ({
  createdBy: authorOf(event),
  createdAt: event.metadata.occurred_at,
  modifiedBy: undefined,
  modifiedAt: undefined,
});

export const modification = (event: Told): Pick<Authorship, 'modifiedBy' | 'modifiedAt'> => ({
  modifiedBy: authorOf(event),
  modifiedAt: event.metadata.occurred_at,
});
