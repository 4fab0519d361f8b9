import { create } from 'zustand'
import { clearUserStorage, storeValue, readStored, toStoredKey } from './storage.ts'

/** The access token of the signed-in user. Seven days, slid by every start of the page; shared by all tabs. */
interface Session {
  readonly token: string | undefined
}

const TOKEN = 'session'

/** Created signed out and corrected at once: a prerendered page is hydrated with the server's markup (see hydrated.ts). */
export const useSession = create<Session>(() => ({ token: undefined }))
if (typeof document !== 'undefined') useSession.setState({ token: readStored(TOKEN) })

/** The header that carries the token; the operators' app sets its own. */
let header = 'accessToken'
export const getTokenHeader = () => header
export function setTokenHeader(name: string): void {
  header = name
}

export function getSessionToken(): string | undefined {
  return useSession.getState().token
}

export function useSignedIn(): boolean {
  return useSession((state) => state.token !== undefined)
}

export function startSession(token: string): void {
  storeValue(TOKEN, token)
  useSession.setState({ token })
}

/** `elsewhere`: another tab or device ended it. */
export type EndReason = 'signedOut' | 'expired' | 'elsewhere'
type Listener = (reason: EndReason) => void
const listeners = new Set<Listener>()

/** Called once for each end of a session: by the user, by a 401 or 1005, or in another tab. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function endSession(reason: EndReason): void {
  if (!getSessionToken()) return
  clearUserStorage()
  useSession.setState({ token: undefined })
  for (const listener of listeners) listener(reason)
}

/** Follows other tabs; call once at start. */
export function watchSession(): void {
  const token = getSessionToken()
  if (token) storeValue(TOKEN, token)
  addEventListener('storage', (event) => {
    if (event.key !== toStoredKey(TOKEN)) return
    const next = readStored(TOKEN)
    if (next) useSession.setState({ token: next })
    else endSession('signedOut')
  })
}
