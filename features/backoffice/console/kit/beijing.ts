export const BEIJING_MS = 8 * 3_600_000

/** An instant as a field of date and time holds it, on the clock of Beijing. */
export const beijingField = (ms: number): string => new Date(ms + BEIJING_MS).toISOString().slice(0, 16)

/** What such a field holds as an instant; undefined while it is not whole. */
export const fromBeijing = (text: string): string | undefined => {
  const at = Date.parse(`${text}:00+08:00`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
