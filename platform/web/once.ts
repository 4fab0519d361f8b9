import { askNotice, type NoticeAnswer, type NoticeRequest } from './state/notice.ts'
import { storeValue, readStored } from './state/storage.ts'

const YEARS_MS = 10 * 365 * 86_400_000
const VISIT = 'mx.visit'

/** Records that the user has seen a tip, on the server; true for the first device to do so. */
export type ClaimTip = (tip: string) => Promise<boolean>

/**
 * Shows a notice once per user, across devices. Returns undefined if it was shown before or the server could not confirm that it was not.
 * Devices remember it and do not repeat the request.
 */
export async function notifyOnce(
  name: string,
  userId: string,
  { claim, ...request }: NoticeRequest & { readonly claim: ClaimTip },
): Promise<NoticeAnswer | undefined> {
  const key = `once.${name}.${userId}`
  if (readStored(key)) return undefined
  const isFirst = await claim(name).catch(() => undefined)
  if (isFirst === undefined) return undefined
  storeValue(key, '1', YEARS_MS)
  return isFirst ? askNotice(request) : undefined
}

/** Id of this visit: of a tab, across its reloads. */
function getVisitId(): string {
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

/** False during the first visit in which it is called for this user, true in every later one: for content that can wait. */
export function isLaterVisit(name: string, userId: string): boolean {
  const key = `once.visit.${name}.${userId}`
  const first = readStored(key)
  if (first) return first !== getVisitId()
  storeValue(key, getVisitId(), YEARS_MS)
  return false
}
