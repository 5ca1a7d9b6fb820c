import type { AccessRule as ApplicationRule, Transform } from '#domain/application/events.ts';
import type { SessionRule } from '#domain/session/events.ts';

export type { Transform } from '#domain/application/events.ts';
export type { Condition } from '#domain/session/events.ts';

/** A rule of an application or of a session: it covers a container and all below, or what meets its conditions. */
export type AccessRule = ApplicationRule | SessionRule;

const order: readonly Transform[] = ['redact', 'mask', 'reveal'];

/** The one that shows less. */
export const lesser = (a: Transform, b: Transform): Transform =>
  order.indexOf(a) < order.indexOf(b) ? a : b;
