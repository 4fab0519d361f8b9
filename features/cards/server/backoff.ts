/** Seconds until the next query of an issuer: 2, 4, 8 ... at most `longest`. */
export const computeBackoffSeconds = (checks: number, longest = 600): number => Math.min(2 * 2 ** Math.min(checks, 10), longest)
