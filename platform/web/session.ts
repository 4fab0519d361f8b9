import { create } from 'zustand'
import { forget, keep, kept, storedKey } from './storage.ts'

/** The access token of the signed-in user. Seven days, slid by every start of the page; shared by all tabs. */
interface Session {
  readonly token: string | undefined
}

const TOKEN = 'session'

export const useSession = create<Session>(() => ({ token: kept(TOKEN) }))

export function sessionToken(): string | undefined {
  return useSession.getState().token
}

export function useSignedIn(): boolean {
  return useSession((state) => state.token !== undefined)
}

export function startSession(token: string): void {
  keep(TOKEN, token)
  useSession.setState({ token })
}

export type EndReason = 'signedOut' | 'expired'
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
  if (!sessionToken()) return
  forget(TOKEN)
  useSession.setState({ token: undefined })
  for (const listener of listeners) listener(reason)
}

/** Follows other tabs; call once at start. */
export function watchSession(): void {
  const token = sessionToken()
  if (token) keep(TOKEN, token)
  addEventListener('storage', (event) => {
    if (event.key !== storedKey(TOKEN)) return
    const next = kept(TOKEN)
    if (next) useSession.setState({ token: next })
    else endSession('signedOut')
  })
}
