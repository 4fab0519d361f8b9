import { useCallback, useEffect, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { removeThread, applyUpdate, useChat } from '../chat-store.ts'
import { supportChatApi } from '../support-api.ts'
import { lastSeq } from './thread.ts'
import type { Thread } from './thread.ts'
import { readVisitor } from '../visitor-token.ts'

const PAUSES_MS = [1_000, 3_000, 10_000, 30_000]

interface OpenThread {
  readonly thread: Thread | undefined
  readonly error: unknown
  readonly reload: () => void
  readonly readBack: () => Promise<void>
}

/**
 * One conversation, live while it is on screen: first the newest messages, then a request that the server answers when
 * something is new. What was missed while the page was hidden or offline is caught up by number: nothing is lost, nothing
 * comes twice.
 */
export function useThread(id: string): OpenThread {
  const thread = useChat((state) => state.threads[id])
  const [error, setError] = useState<unknown>()
  const [turn, setTurn] = useState(0)
  const reload = useCallback(() => {
    setError(undefined)
    setTurn((now) => now + 1)
  }, [])

  useEffect(() => {
    let stop = new AbortController()
    let failures = 0
    const live = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        try {
          const known = useChat.getState().threads[id]
          const news = known
            ? await supportChatApi.wait({ conversationId: id, version: known.head.version, afterSeq: lastSeq(known), ...readVisitor() }, { signal })
            : await supportChatApi.messages({ conversationId: id, ...readVisitor() }, { signal })
          applyUpdate(news)
          failures = 0
        } catch (problem) {
          if (signal.aborted) return
          if (isApiError(problem) && problem.errorName === 'NOT_FOUND') return removeThread(id)
          if (!useChat.getState().threads[id]) return setError(problem)
          await pause(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]!, signal)
        }
      }
    }
    const seen = () => {
      stop.abort()
      if (document.visibilityState === 'hidden') return
      stop = new AbortController()
      failures = 0
      void live(stop.signal)
    }
    seen()
    document.addEventListener('visibilitychange', seen)
    addEventListener('online', seen)
    return () => {
      stop.abort()
      document.removeEventListener('visibilitychange', seen)
      removeEventListener('online', seen)
    }
  }, [id, turn])

  const readBack = useCallback(async () => {
    const first = useChat.getState().threads[id]?.messages[0]?.seq
    if (first) applyUpdate(await supportChatApi.messages({ conversationId: id, beforeSeq: first, ...readVisitor() }), true)
  }, [id])
  return { thread, error, reload, readBack }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Marks messages as read, only while the page is visible. */
export function useMarkRead(thread: Thread | undefined): void {
  const id = thread?.head.id
  const unread = thread?.head.unread ?? 0
  const seq = lastSeq(thread)
  useEffect(() => {
    if (!id || !unread) return
    const mark = () => {
      if (document.visibilityState === 'visible') void supportChatApi.read({ conversationId: id, seq, ...readVisitor() }).catch(() => undefined)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [id, unread, seq])
}
