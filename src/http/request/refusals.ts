import type { Route } from '#http/route.ts';

/**
 * Whether parameters that a route does not know are refused: one that is overlooked would show more, or do more, than was
 * asked for. What goes on to a destination is for that to understand, and links that browsers open may have others.
 */
export const refusesParameters = ({ authenticated, streamed }: Route): boolean =>
  authenticated === true && streamed !== true;

/** Whether a route that takes no body refuses one that has members: they may ask for less than is done. */
export const refusesMembers = ({ method, body, raw, streamed }: Route): boolean =>
  method !== 'GET' && method !== 'DELETE' && body === undefined && raw !== true && streamed !== true;
