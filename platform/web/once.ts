import { askNotice, type NoticeAnswer, type NoticeRequest } from './state/notice.ts'
import { keep, kept } from './state/storage.ts'

const YEARS_MS = 10 * 365 * 86_400_000
const VISIT = 'mx.visit'

/** Notes a tip for the user, wherever they are signed in; true for whoever is the first to. */
export type ClaimTip = (tip: string) => Promise<boolean>

/**
 * A notice that one user sees once, on whatever device; undefined when it was shown before, or when nobody could say so.
 * What this device has shown is not asked about again.
 */
export async function notifyOnce(name: string, userId: string, claim: ClaimTip, request: NoticeRequest): Promise<NoticeAnswer | undefined> {
  const key = `once.${name}.${userId}`
  if (kept(key)) return undefined
  const isFirst = await claim(name).catch(() => undefined)
  if (isFirst === undefined) return undefined
  keep(key, '1', YEARS_MS)
  return isFirst ? askNotice(request) : undefined
}

/** This visit: a tab, however often it is loaded. */
function visit(): string {
  try {
    const known = sessionStorage.getItem(VISIT)
    if (known) return known
    const made = Math.random().toString(36).slice(2)
    sessionStorage.setItem(VISIT, made)
    return made
  } catch {
    return 'only'
  }
}

/** False during the first visit in which it is asked for this user, true in every later one: for what can wait. */
export function isLaterVisit(name: string, userId: string): boolean {
  const key = `once.visit.${name}.${userId}`
  const first = kept(key)
  if (first) return first !== visit()
  keep(key, visit(), YEARS_MS)
  return false
}
