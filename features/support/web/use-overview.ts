import { useCallback, useEffect } from 'react'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useChat } from './chat-store.ts'
import { supportChatApi } from './support-api.ts'
import { readVisitor } from './visitor-token.ts'

const LIVELY_MS = 30_000
const QUIET_MS = 300_000
const LIVELY_FOR_MS = 86_400_000

/** Asks for the list: at once, and while the page is seen every half minute as long as an answer may come. */
export function useOverview(active: boolean): { readonly ask: () => Promise<void> } {
  const signedIn = useSignedIn()
  const ask = useCallback(async () => {
    const { desk, conversations } = await supportChatApi.overview(readVisitor())
    useChat.setState(({ list }) => ({
      desk,
      list: conversations.map((head) => {
        const known = list?.find(({ id }) => id === head.id)
        return known && known.version > head.version ? known : head
      }),
    }))
  }, [])
  useEffect(() => {
    // A visitor who never wrote has nothing to ask for until they open the panel.
    if (!active && !signedIn && !readVisitor().visitorToken) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      clearTimeout(timer)
      if (over || document.visibilityState === 'hidden') return
      timer = setTimeout(look, pause())
    }
    const look = () =>
      void ask()
        .catch(() => undefined)
        .then(again)
    const seen = () => {
      if (document.visibilityState === 'visible') look()
    }
    look()
    document.addEventListener('visibilitychange', seen)
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [active, signedIn, ask])
  return { ask }
}

function pause(): number {
  const { list, open } = useChat.getState()
  const lively = list?.some(({ state, lastAt }) => state !== 'closed' && Date.now() - Date.parse(lastAt) < LIVELY_FOR_MS)
  return open || lively ? LIVELY_MS : QUIET_MS
}
