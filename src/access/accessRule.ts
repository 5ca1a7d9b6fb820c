export type { AccessRule, Transform } from '#domain/application/events.ts';
