export const BEIJING_MS = 8 * 3_600_000

/** Formats an instant as the value of a datetime-local input, in Beijing time. */
export const formatBeijingField = (ms: number): string => new Date(ms + BEIJING_MS).toISOString().slice(0, 16)

/** Parses a datetime-local value in Beijing time into an ISO instant; undefined while the value is incomplete. */
export const parseBeijingField = (text: string): string | undefined => {
  const at = Date.parse(`${text}:00+08:00`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
