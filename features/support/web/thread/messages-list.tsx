import { toShanghaiDay } from '#platform/shared/time.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Leader } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { Message } from '../../contract.ts'
import { supportPageTexts } from '../../texts.ts'
import { formatMessageDay } from '../desk-words.ts'
import { discardPending, retrySending } from './sending.ts'
import { isContinuation } from './thread.ts'
import type { PendingMessage } from './thread.ts'
import { splitLinks } from '../links.ts'

/** A person's message: rendered as text with its line breaks; web addresses open in a new tab. */
function MessageText({ text }: { readonly text: string }) {
  return (
    <p dir="auto" className="text-14 whitespace-pre-wrap">
      {splitLinks(text).map((part, index) =>
        part.href ? (
          <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow" className="underline underline-offset-2">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  )
}

interface ListProps {
  readonly messages: readonly Message[]
  readonly pending: readonly PendingMessage[]
  readonly deskReadSeq: number
  readonly closed: boolean
  /** Address for replies to a visitor. */
  readonly email: string | null
}

/** List of messages drawn as a tape: days separated by dashed rules, system events as receipt lines, messages as slips. */
export function MessagesList({ messages, pending, deskReadSeq, closed, email }: ListProps) {
  const t = useTexts(supportPageTexts)
  const lang = useLang()
  const lastMine = messages.findLastIndex((message) => message.from === 'me')
  const last = messages.at(-1)
  return (
    <ol className="flex flex-col">
      {messages.map((message, index) => {
        const before = messages[index - 1]
        const newDay = !before || toShanghaiDay(new Date(before.at)) !== toShanghaiDay(new Date(message.at))
        const joined = !newDay && isContinuation(before, message)
        return (
          <li key={message.seq} className={joined ? 'mt-1' : 'mt-4 first:mt-0'}>
            {newDay ? <Day text={formatMessageDay(message.at, lang)} /> : null}
            {message.from === 'system' ? (
              <Event message={message} stamped={closed && message === last} />
            ) : (
              <Slip from={message.from} name={message.from === 'me' ? t('me') : t('title')} text={message.text} joined={joined}>
                {isContinuation(message, messages[index + 1]) ? null : displayTime(message.at).slice(11)}
                {index === lastMine && !pending.length ? ` · ${message.seq <= deskReadSeq ? t('seen') : t('sent')}` : null}
              </Slip>
            )}
          </li>
        )
      })}
      {email && !messages.some(({ from }) => from === 'desk') ? <li className="mt-5 text-center text-13 text-fg-3">{t('thread_visitor', { email })}</li> : null}
      {pending.map((one) => (
        <li key={one.clientId} className="mt-4">
          <Slip from="me" name={t('me')} text={one.text} joined={false} faint>
            {one.state === 'sending' ? t('sending') : <Unsent one={one} />}
          </Slip>
        </li>
      ))}
    </ol>
  )
}

interface SlipProps {
  readonly from: 'me' | 'desk'
  readonly name: string
  readonly text: string
  readonly joined: boolean
  readonly faint?: boolean
  readonly children: React.ReactNode
}

function Slip({ from, name, text, joined, faint, children }: SlipProps) {
  const mine = from === 'me'
  return (
    <div className={`flex flex-col ${mine ? 'items-end' : 'items-start'}`}>
      {joined ? <span className="sr-only">{name}</span> : <p className={mine ? 'sr-only' : 'mb-1 text-12 font-medium text-fg-3'}>{name}</p>}
      <div
        className={`max-w-[86%] rounded-card px-3.5 py-2 ${mine ? 'rounded-br-none bg-brand-soft text-brand-text' : 'rounded-bl-none border border-line bg-surface'} ${faint ? 'border border-dashed border-control' : ''}`}
      >
        <MessageText text={text} />
      </div>
      <p className="num mt-1 text-12 whitespace-normal text-fg-3 empty:hidden">{children}</p>
    </div>
  )
}

function Unsent({ one }: { readonly one: PendingMessage }) {
  const t = useTexts(supportPageTexts)
  const act = 'inline-flex min-h-6 items-center font-sans font-medium text-fg underline underline-offset-2 mobile:min-h-11'
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-3">
      <span className="font-sans text-danger">{one.problem ?? t('unsent')}</span>
      <button type="button" className={act} onClick={retrySending}>
        {t('retry')}
      </button>
      <button type="button" className={act} onClick={() => discardPending(one.clientId)}>
        {t('discard')}
      </button>
    </span>
  )
}

function Day({ text }: { readonly text: string }) {
  return (
    <div className="mb-4 flex items-center gap-3">
      <hr className="receipt-rule receipt-inline flex-1" />
      <span className="num text-12 text-fg-3">{text}</span>
      <hr className="receipt-rule receipt-inline flex-1" />
    </div>
  )
}

function Event({ message, stamped }: { readonly message: Message; readonly stamped: boolean }) {
  const t = useTexts(supportPageTexts)
  if (message.event === 'order')
    return (
      <p className="receipt-row receipt-inline border-y border-dashed border-line py-2 text-13">
        <span className="text-fg-2">{t('event_order')}</span>
        <Leader />
        <span className="num whitespace-normal">{message.detail}</span>
      </p>
    )
  if (message.event === 'closed')
    return (
      <div className="flex flex-col items-center gap-3 py-2 text-center">
        {stamped ? <Stamp text={t('stamp_closed')} className="support-stamp" /> : null}
        <p className="text-13 text-fg-3">{t('event_closed')}</p>
      </div>
    )
  return <p className="text-center text-13 text-fg-3">{t('event_reopened')}</p>
}
