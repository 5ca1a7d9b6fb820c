/** Views that could take every event. */
export const nothingParked = { isParked: () => false };
