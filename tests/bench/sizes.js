/** Inputs of one pass: a short curve, what stays in a core's cache, and what does not. */
export const SIZES = [1000, 65_536, 1_048_576];

/** The size at which the floors are set, and the only one for the many rows that have no peer. */
export const MIDDLE = 65_536;
