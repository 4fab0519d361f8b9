import type { Settings } from '#platform/server/settings.ts'
import type { DeskStatus } from '../../contract.ts'
import { deskHours, replyMinutes } from '../settings.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Asia/Shanghai is UTC+8 all year. */
const SHANGHAI = 8 * 3_600_000

interface Hours {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

const toMinutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Computes if the desk is open, and the next opening if not. Hours that end before they begin span midnight. */
export function computeOpening({ days, from, to }: Hours, now: Date): { open: boolean; opensAt: Date | null } {
  const local = now.getTime() + SHANGHAI
  const midnight = Math.floor(local / DAY) * DAY
  const begin = toMinutes(from) * MINUTE
  const end = toMinutes(to) * MINUTE
  const lasts = (end > begin ? end : end + DAY) - begin
  const weekday = (at: number) => ((Math.floor(at / DAY) + 3) % 7) + 1
  let opensAt: number | undefined
  for (let day = -1; day <= 7; day++) {
    const start = midnight + day * DAY
    if (!days.includes(weekday(start))) continue
    if (local >= start + begin && local < start + begin + lasts) return { open: true, opensAt: null }
    if (start + begin > local && opensAt === undefined) opensAt = start + begin
  }
  return { open: false, opensAt: opensAt === undefined ? null : new Date(opensAt - SHANGHAI) }
}

/** Current opening hours and response time, for pages. */
export async function readDeskStatus(settings: Settings, now: Date): Promise<DeskStatus> {
  const hours = await settings.get(deskHours)
  const { open, opensAt } = computeOpening(hours, now)
  return { ...hours, open, opensAt: opensAt?.toISOString() ?? null, replyMinutes: await settings.get(replyMinutes) }
}
