/** Refusals in a row after which auto recharge is off until its owner has looked. */
export const MAX_REFUSALS = 3
/** Hours until the next charge after the first, the second ... refusal. */
export const BACKOFF_HOURS = [2, 12] as const
/** A charge that the channel never confirmed: nothing new before it. */
export const LAPSE_BACKOFF_HOURS = 2
/** How long a stop can be undone; then the stored method is given up. */
export const STOP_UNDO_MINUTES = 10
/** The channel's page for storing a method lives so long; a session in setup mode lives half an hour at least. */
export const SIGN_MINUTES = 60
/** Pages of channels that one user may ask for on a day. */
export const MAX_SIGNINGS_PER_DAY = 10
