import { ArrowDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { supportPageTexts } from '../../texts.ts'
import { useChat } from '../chat-store.ts'
import { Composer } from './composer.tsx'
import { MessagesList } from './messages-list.tsx'
import { filterPending } from './thread.ts'
import { useEnd } from './use-end.ts'
import { useThread } from './use-thread.ts'

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
