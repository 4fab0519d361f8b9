/** Seconds to the next question to an issuer: 2 s, 4 s ... at most 10 minutes. */
export const pause = (checks: number): number => Math.min(2 * 2 ** Math.min(checks, 10), 600)
