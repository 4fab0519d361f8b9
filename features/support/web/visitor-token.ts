import { storeValue, readStored } from '#platform/web/state/storage.ts'

const NAME = 'support.visitor'
const LIFE_MS = 180 * 86_400_000

/** `{ visitorToken }` of a visitor who wrote from this device without signing in, or opened a mailed link. */
export function readVisitor(): { visitorToken?: string } {
  const token = readStored(NAME)
  return token ? { visitorToken: token } : {}
}

export function storeVisitor(token: string): void {
  storeValue(NAME, token, LIFE_MS)
}

/**
 * Stores the token of a mailed link (`/#support=…`) and removes the fragment, so that it does not stay in the history. Returns true if the
 * address was such a link.
 */
export function takeSupportHash(): boolean {
  const match = /^#support(?:=(vis_[0-9A-Z]{26}\.[\w-]{43}))?$/.exec(location.hash)
  if (!match) return false
  if (match[1]) storeVisitor(match[1])
  history.replaceState(history.state, '', location.pathname + location.search)
  return true
}
