import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { pollWhileAttended } from '../kit/use-me.ts'
import { AnswerBox } from './answer-box.tsx'
import { supportDeskApi } from './api.ts'
import { ConversationTags, PriorityMenu, SnoozeMenu } from './conversation-actions.tsx'
import { supportDeskTexts } from './texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

const EVENT_TEXT = { order: 'event_order', closed: 'event_closed', reopened: 'event_reopened' } as const

/** One conversation, rendered as plain text, with the answer form at the bottom. */
export function ConversationSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(supportDeskTexts)
  const nameOf = useOperatorName()
  const say = useConsoleFormatter()
  const read = useQuery({
    queryKey: ['support', id],
    queryFn: ({ signal }) => supportDeskApi.talk({ id }, { signal }),
    refetchInterval: pollWhileAttended(3_000),
  })
  const talk = read.data
  return (
    <SideSheet
      title={talk ? say.value(talk.topic) : t('kind_conversation')}
      tags={talk ? <ConversationTags talk={talk} /> : null}
      about={
        talk ? (
          <>
            {talk.userId ? <CustomerLink userId={talk.userId} /> : <span className="num">{talk.visitor}</span>}
            {talk.orderNo ? <span className="num">{talk.orderNo}</span> : null}
            <span className="mt-1.5 -ml-3 flex basis-full flex-wrap">
              <CommandButton name="conversation.close" input={{ conversationId: id }} about={say.value(talk.topic)} variant="ghost" onDone={onClose} />
              {talk.state === 'closed' ? null : <SnoozeMenu talk={talk} />}
              <PriorityMenu talk={talk} />
            </span>
          </>
        ) : null
      }
      onClose={onClose}
      foot={
        talk ? (
          <AnswerBox command="conversation.answer" input={{ conversationId: id }} about={say.value(talk.topic)} onDone={() => void read.refetch()} />
        ) : null
      }
    >
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={6} /> : null}
      <ol className="grid grid-cols-1 gap-3">
        {talk?.messages.map((message) =>
          message.author === 'system' ? (
            <li key={message.seq} className="text-center text-12 text-fg-3">
              {t(resolveTextKey(EVENT_TEXT, String(message.event)), { detail: message.detail })}
            </li>
          ) : (
            <li
              key={message.seq}
              className={`max-w-[88%] rounded-card border border-line px-3 py-2 ${message.author === 'operator' ? 'ml-auto bg-brand-soft' : 'bg-surface'}`}
            >
              <p dir="auto" className="text-14 whitespace-pre-wrap [overflow-wrap:anywhere]">
                {message.text}
              </p>
              <p className="mt-1 text-12 text-fg-3">
                {message.author === 'operator' ? `${nameOf(message.operatorId ?? '')} · ` : ''}
                <Time at={message.at} />
              </p>
            </li>
          ),
        )}
      </ol>
    </SideSheet>
  )
}
