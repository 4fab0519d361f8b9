import type { Lang, TextKeyOf } from '#platform/shared/texts.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { createTranslate, type Translate } from '#platform/web/i18n.ts'
import type { DeskStatus } from '../contract.ts'
import { supportPageTexts } from '../texts.ts'

type Key = TextKeyOf<typeof supportPageTexts>
const DAY = 86_400_000

/** Texts about the opening hours in one language. */
export function describeDesk(desk: DeskStatus, lang: Lang, now = Date.now()): { hours: string; reply: string; state: string } {
  const t = createTranslate(supportPageTexts, lang)
  const { replyMinutes: minutes } = desk
  const reply =
    minutes === 0
      ? t('desk_reply_none')
      : minutes < 120 && minutes % 60 !== 0
        ? t('desk_reply_minutes', { n: minutes })
        : t('desk_reply_hours', { n: Math.round(minutes / 60) })
  return {
    hours: desk.days.length ? `${formatDays(desk.days, t)} ${desk.from}–${desk.to}` : t('desk_no_hours'),
    reply,
    state: desk.open ? (minutes ? t('desk_open_reply', { reply }) : t('desk_open')) : desk.opensAt ? formatOpening(desk.opensAt, now, t) : t('desk_away'),
  }
}

function formatDays(days: readonly number[], t: Translate<Key>): string {
  const sorted = [...days].sort((a, b) => a - b)
  if (sorted.length === 7) return t('desk_every_day')
  if (sorted.join() === '1,2,3,4,5') return t('desk_weekdays')
  const list = t('desk_day_list')
  const mark = list.includes('、') ? '、' : ', '
  const names = list.split(mark)
  return t('desk_days', { days: sorted.map((day) => names[day - 1]).join(mark) })
}

function formatOpening(opensAt: string, now: number, t: Translate<Key>): string {
  const at = new Date(opensAt)
  const time = toShanghaiTime(at).slice(11, 16)
  if (toShanghaiDay(at) === toShanghaiDay(now)) return t('desk_opens_today', { time })
  if (toShanghaiDay(at) === toShanghaiDay(now + DAY)) return t('desk_opens_tomorrow', { time })
  return t('desk_opens_on', { date: toShanghaiDay(at).slice(5), time })
}

/** 今天, 昨天 or the date. */
export function formatMessageDay(at: string, lang: Lang, now = Date.now()): string {
  const t = createTranslate(supportPageTexts, lang)
  const day = toShanghaiDay(new Date(at))
  if (day === toShanghaiDay(now)) return t('today')
  if (day === toShanghaiDay(now - DAY)) return t('yesterday')
  return day
}

/** HH:mm for today, month and day for earlier dates. */
export function formatMessageTime(at: string, now = Date.now()): string {
  const full = toShanghaiTime(new Date(at))
  return full.slice(0, 10) === toShanghaiDay(now) ? full.slice(11, 16) : full.slice(5, 10)
}
