/** Number of successive refusals that switches auto recharge off until its owner has looked. */
export const MAX_REFUSALS = 3
/** Hours until the next charge after the first, the second ... refusal. */
export const BACKOFF_HOURS = [2, 12] as const
/** Pause after a charge that the channel never confirmed. */
export const LAPSE_BACKOFF_HOURS = 2
/** Period in which a stop can be undone; then the stored method is revoked. */
export const STOP_UNDO_MINUTES = 10
/** Lifetime of the channel's page for storing a method; a session in setup mode lives half an hour at least. */
export const SIGN_MINUTES = 60
/** Signing pages that one user may request per day. */
export const MAX_SIGNINGS_PER_DAY = 10
