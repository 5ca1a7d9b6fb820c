/** The generations whose answers are recorded: EventStoreDB twice, then KurrentDB. */
export const generations = ['23.10.6', '24.10.4', '25.0.0'] as const;
export type Generation = (typeof generations)[number];
