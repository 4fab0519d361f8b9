import { AlarmClock, Flag } from 'lucide-react'
import { useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import { PRIORITIES, type Priority } from '#features/support/contract-desk.console.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { useCommandCatalogue } from '../kit/command/use-command.ts'
import { useConsoleKeys } from '../kit/keys.ts'
import { useOperatorName } from '../kit/operators.ts'
import type { InboxListRow } from './inbox-row.ts'
import { supportDeskTexts } from './texts.ts'
import { SUPPORT_PRIORITY_TEXT } from './state-texts.ts'
import { BEIJING_MS } from '../kit/beijing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const OPENING_HOUR = 10

/** Common snooze times in Beijing time: in some hours, tomorrow, and on Monday when the desk opens. */
export function listSnoozeTimes(now: number): { readonly key: 'hour' | 'hours' | 'tomorrow' | 'monday'; readonly at: number }[] {
  const midnight = Math.floor((now + BEIJING_MS) / DAY) * DAY - BEIJING_MS
  const weekday = (Math.floor((now + BEIJING_MS) / DAY) + 4) % 7
  const opens = (days: number) => midnight + days * DAY + OPENING_HOUR * HOUR
  return [
    { key: 'hour', at: now + HOUR },
    { key: 'hours', at: now + 4 * HOUR },
    { key: 'tomorrow', at: opens(1) },
    // On a Sunday, Monday is tomorrow, so the Monday after it is meant
    { key: 'monday', at: opens(weekday === 0 ? 8 : 8 - weekday) },
  ]
}

const SNOOZE_TEXT = { hour: 'snooze_hour', hours: 'snooze_hours', tomorrow: 'snooze_tomorrow', monday: 'snooze_monday' } as const

type InboxConversation = Pick<InboxListRow, 'id' | 'state' | 'priority' | 'snoozedUntil' | 'snoozedBy'>

const isOpenConversation = (row: Pick<InboxListRow, 'kind' | 'state'>) => row.kind === 'conversation' && row.state !== 'closed'

/** Handler of S in the inbox: asks until when to snooze; ends the snooze of a snoozed conversation. */
export function openSnooze(row: InboxListRow): void {
  if (isOpenConversation(row))
    openCommand({ name: row.state === 'snoozed' ? 'conversation.wake' : 'conversation.snooze', input: { conversationId: row.id }, about: row.text })
}

/** Handler of P in the inbox: asks for the priority. */
export function openPriority(row: InboxListRow): void {
  if (isOpenConversation(row)) openCommand({ name: 'conversation.priority', input: { conversationId: row.id }, about: row.text })
}

/** Badge for any priority other than normal. */
export function PriorityTag({ priority }: { readonly priority: Priority }) {
  const t = useTexts(supportDeskTexts)
  if (priority === 'normal') return null
  return <Badge tone={priority === 'urgent' ? 'danger' : 'warning'}>{t(SUPPORT_PRIORITY_TEXT[priority])}</Badge>
}

export function ConversationTags({ talk }: { readonly talk: InboxConversation }) {
  const t = useTexts(supportDeskTexts)
  const nameOf = useOperatorName()
  return (
    <>
      <PriorityTag priority={talk.priority} />
      {talk.snoozedUntil ? (
        <Badge tone="info" icon={<AlarmClock size={12} aria-hidden="true" />}>
          {t('snoozedBy', { name: nameOf(talk.snoozedBy ?? ''), at: displayTime(talk.snoozedUntil) })}
        </Badge>
      ) : null}
    </>
  )
}

function useMaySnooze(): boolean {
  const { data } = useCommandCatalogue()
  return data?.commands.some(({ name, may }) => name === 'conversation.snooze' && may) ?? false
}

/** Snooze button (S); ends the snooze of a snoozed conversation. */
export function SnoozeMenu({ talk }: { readonly talk: InboxConversation }) {
  const t = useTexts(supportDeskTexts)
  const may = useMaySnooze()
  const button = useRef<HTMLButtonElement>(null)
  const input = { conversationId: talk.id }
  const wake = () => openCommand({ name: 'conversation.wake', input })
  useConsoleKeys({ s: may ? () => (talk.state === 'snoozed' ? wake() : button.current?.click()) : undefined })
  if (!may) return null
  if (talk.state === 'snoozed')
    return (
      <Button variant="ghost" aria-keyshortcuts="S" onClick={wake}>
        {t('wake')}…
      </Button>
    )
  const to = (at: number) => openCommand({ name: 'conversation.snooze', input: { ...input, wakeAt: new Date(at).toISOString() } })
  return (
    <LazyMenu
      align="start"
      trigger={
        <Button ref={button} variant="ghost" aria-keyshortcuts="S">
          <AlarmClock size={14} strokeWidth={1.75} aria-hidden="true" />
          {t('snooze')}
        </Button>
      }
      groups={[
        listSnoozeTimes(Date.now()).map(({ key, at }) => ({
          key,
          label: (
            <span className="flex justify-between gap-6">
              {t(SNOOZE_TEXT[key])}
              <span className="num text-fg-3">{displayTime(at).slice(5)}</span>
            </span>
          ),
          onSelect: () => to(at),
        })),
        [{ key: 'other', label: t('snooze_other'), onSelect: () => openCommand({ name: 'conversation.snooze', input }) }],
      ]}
    />
  )
}

/** Priority button (P). */
export function PriorityMenu({ talk }: { readonly talk: InboxConversation }) {
  const t = useTexts(supportDeskTexts)
  const may = useMaySnooze()
  const button = useRef<HTMLButtonElement>(null)
  useConsoleKeys({ p: may ? () => button.current?.click() : undefined })
  if (!may) return null
  return (
    <LazyMenu
      align="start"
      trigger={
        <Button ref={button} variant="ghost" aria-keyshortcuts="P">
          <Flag size={14} strokeWidth={1.75} aria-hidden="true" />
          {t('colPriority')}
        </Button>
      }
      groups={[
        PRIORITIES.map((priority) => ({
          key: priority,
          label: t(SUPPORT_PRIORITY_TEXT[priority]),
          checked: priority === talk.priority,
          onSelect: () =>
            priority === talk.priority ? undefined : openCommand({ name: 'conversation.priority', input: { conversationId: talk.id, priority } }),
        })),
      ]}
    />
  )
}
