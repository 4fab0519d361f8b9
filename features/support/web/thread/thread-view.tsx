import { ArrowDown } from 'lucide-react'
import { useMemo, useState, useEffect, useLayoutEffect, useRef, useCallback } from 'react'
import type { UIEvent } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { supportPageTexts } from '../../texts.ts'
import { useChat, removeThread, applyUpdate } from '../chat-store.ts'
import { Composer } from './composer.tsx'
import { MessagesList } from './messages-list.tsx'
import { filterPending, lastSeq } from './thread.ts'
import type { Thread } from './thread.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { supportChatApi } from '../support-api.ts'
import { readVisitor } from '../visitor-token.ts'

const PAUSES_MS = [1_000, 3_000, 10_000, 30_000]

interface OpenThread {
  readonly thread: Thread | undefined
  readonly error: unknown
  readonly reload: () => void
  readonly readBack: () => Promise<void>
}

/**
 * One conversation, live while it is visible: loads the newest messages, then long-polls for updates. Messages missed while the page was
 * hidden or offline are fetched by number, so none is lost or duplicated.
 */
function useThread(id: string): OpenThread {
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
function useMarkRead(thread: Thread | undefined): void {
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

const NEAR_PX = 80

/** Keeps the view at the end of a growing conversation; if the user has scrolled back, reports that there is more below. */
function useEnd(thread: ReturnType<typeof useThread>['thread'], waiting: number) {
  const paper = useRef<HTMLDivElement>(null)
  const [below, setBelow] = useState(false)
  const atEnd = useRef(true)
  const height = useRef(0)
  useMarkRead(below ? undefined : thread)

  const toEnd = () => {
    const box = paper.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    atEnd.current = true
    setBelow(false)
  }
  const seq = lastSeq(thread)
  const first = thread?.messages[0]?.seq ?? 0
  // Keep the position while the user reads back; follow at the end.
  useLayoutEffect(() => {
    const box = paper.current
    if (!box) return
    if (atEnd.current) box.scrollTop = box.scrollHeight
    else if (height.current && first) box.scrollTop += box.scrollHeight - height.current
    height.current = box.scrollHeight
  }, [first])
  useLayoutEffect(() => {
    if (atEnd.current) toEnd()
    else if (seq) setBelow(true)
    height.current = paper.current?.scrollHeight ?? 0
  }, [seq, waiting])
  useEffect(() => {
    const box = paper.current
    if (!box) return
    const keepEnd = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight
    })
    keepEnd.observe(box)
    return () => keepEnd.disconnect()
  }, [])
  const onScroll = (event: UIEvent<HTMLDivElement>) => {
    const box = event.currentTarget
    atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
    if (atEnd.current) setBelow(false)
  }
  return { paper, below, toEnd, onScroll }
}

export function ThreadView({ id }: { readonly id: string }) {
  const t = useTexts(supportPageTexts)
  const { thread, error, reload, readBack } = useThread(id)
  const queue = useChat((state) => state.pending)
  const pending = useMemo(() => filterPending(thread, queue, id), [thread, queue, id])
  const { paper, below, toEnd, onScroll } = useEnd(thread, pending.length)
  return (
    <>
      <div className="relative min-h-0 flex-1">
        <div
          ref={paper}
          role="log"
          aria-label={t('thread_label')}
          // A log that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="h-full overflow-y-auto overscroll-contain px-4 py-4 -outline-offset-2"
          onScroll={onScroll}
        >
          {thread ? (
            <>
              {thread.older ? <Older readBack={readBack} /> : null}
              <MessagesList
                messages={thread.messages}
                pending={pending}
                deskReadSeq={thread.head.deskReadSeq}
                closed={thread.head.state === 'closed'}
                email={thread.head.email}
              />
            </>
          ) : error ? (
            <ErrorState error={error} onRetry={reload} />
          ) : (
            <Shapes />
          )}
        </div>
        {below ? (
          <Button size="sm" variant="secondary" className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-dialog" onClick={toEnd}>
            <ArrowDown size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('thread_new')}
          </Button>
        ) : null}
      </div>
      <Composer key={id} conversationId={id} onSent={toEnd} />
    </>
  )
}

function Older({ readBack }: { readonly readBack: () => Promise<void> }) {
  const t = useTexts(supportPageTexts)
  const [state, setState] = useState<'idle' | 'loading'>('idle')
  return (
    <div className="mb-4 flex justify-center">
      <Button
        size="sm"
        variant="ghost"
        loading={state === 'loading'}
        onClick={() => {
          setState('loading')
          void readBack()
            .catch(() => undefined)
            .then(() => setState('idle'))
        }}
      >
        {t('thread_older')}
      </Button>
    </div>
  )
}

function Shapes() {
  return (
    <div className="grid gap-4">
      <Skeleton className="h-12 w-3/5" />
      <Skeleton className="ml-auto h-9 w-2/5" />
      <Skeleton className="h-9 w-1/2" />
    </div>
  )
}
