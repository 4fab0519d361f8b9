import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import type { ConversationHead } from '../contract.ts'
import { supportPageTexts } from '../texts.ts'
import { setView } from './chat-store.ts'
import { DeskCard } from './desk-card.tsx'
import { formatMessageTime } from './desk-words.ts'
import { translateTopic } from './topic-text.ts'

const STATE_TEXT = { waiting: 'state_waiting', open: 'state_open', closed: 'state_closed' } as const

/** Earlier conversations, newest first, and the way to a new one. */
export function HomeView({ list }: { readonly list: readonly ConversationHead[] }) {
  const t = useTexts(supportPageTexts)
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-5">
        <DeskCard />
        <h3 className="mt-6 mb-1 text-14 font-semibold">{t('list_title')}</h3>
        <ul>
          {list.map((head) => (
            <li key={head.id} className="border-b border-dashed border-line last:border-0">
              <Row head={head} />
            </li>
          ))}
        </ul>
      </div>
      <div className="border-t border-dashed border-line px-5 py-4">
        <Button block size="lg" onClick={() => setView({ name: 'new' })}>
          {t('list_new')}
        </Button>
      </div>
    </>
  )
}

function Row({ head }: { readonly head: ConversationHead }) {
  const t = useTexts(supportPageTexts)
  return (
    <button
      type="button"
      className="-mx-2 flex w-[calc(100%+16px)] flex-col gap-0.5 rounded-control px-2 py-3 text-left hover:bg-sunken"
      onClick={() => setView({ name: 'thread', id: head.id })}
    >
      <span className="flex w-full items-baseline gap-2 text-14">
        <span className="min-w-0 flex-1 truncate font-medium">
          {translateTopic(t, head.topic)}
          {head.orderNo ? <span className="num ml-2 font-normal text-fg-3">{head.orderNo}</span> : null}
        </span>
        <time dateTime={head.lastAt} className="num shrink-0 text-12 text-fg-3">
          {formatMessageTime(head.lastAt)}
        </time>
      </span>
      <span className="flex w-full items-center gap-2 text-13 text-fg-2">
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {head.preview}
        </span>
        {head.unread ? (
          <span className="tag tag-brand num font-semibold">{t('list_unread', { count: head.unread })}</span>
        ) : (
          <span className="tag">{t(STATE_TEXT[head.state])}</span>
        )}
      </span>
    </button>
  )
}
