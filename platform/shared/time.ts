/** Users' calendar is Asia/Shanghai: UTC+8 all year, no daylight saving since 1991. */
const SHANGHAI_MS = 8 * 3_600_000

/** YYYY-MM-DD of an instant in Shanghai. */
export function toShanghaiDay(at: Date | number): string {
  return new Date(Number(at) + SHANGHAI_MS).toISOString().slice(0, 10)
}

/** YYYY-MM-DD HH:mm:ss of an instant in Shanghai. */
export function toShanghaiTime(at: Date | number): string {
  return new Date(Number(at) + SHANGHAI_MS).toISOString().slice(0, 19).replace('T', ' ')
}

/** The day after a day, both as 2026-11-21. */
export function getNextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
