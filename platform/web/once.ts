import { askNotice, type NoticeAnswer, type NoticeRequest } from './notice.ts'
import { keep, kept } from './storage.ts'

const YEARS_MS = 10 * 365 * 86_400_000

/** True the first time for this name and user on this device, and never again. */
export function firstTime(name: string, userId: string): boolean {
  const key = `once.${name}.${userId}`
  if (kept(key)) return false
  keep(key, '1', YEARS_MS)
  return true
}

/** A notice that one user sees once; undefined when it was shown before. */
export async function notifyOnce(name: string, userId: string, request: NoticeRequest): Promise<NoticeAnswer | undefined> {
  return firstTime(name, userId) ? askNotice(request) : undefined
}
