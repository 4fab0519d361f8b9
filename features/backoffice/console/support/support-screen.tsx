import { useTexts } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import type { ListColumn } from '../kit/list/types.ts'
import { supportDeskApi } from './api.ts'
import { ComplaintSheet } from './complaint-sheet.tsx'
import type { InboxListRow } from './inbox-row.ts'
import { openPriority, openSnooze, PriorityTag } from './conversation-actions.tsx'
import { ConversationSheet } from './conversation-sheet.tsx'
import { supportDeskTexts } from './texts.ts'
import { SUPPORT_PRIORITY_TEXT, SUPPORT_VIEW_TEXT } from './state-texts.ts'

const KIND_TEXT = { complaint: 'kind_complaint', conversation: 'kind_conversation' } as const

/** Conversations and complaints in one inbox, longest waiting first. */
export function SupportScreen() {
  const t = useTexts(supportDeskTexts)
  return (
    <ListScreen<InboxListRow>
      name="support"
      title={t('title')}
      about={t('about')}
      search={t('search')}
      load={({ after, limit, q, kind, priority, state = 'open' }, signal) =>
        supportDeskApi.inbox(
          {
            ...{ limit, state: state as 'open' },
            ...(after === undefined ? {} : { after }),
            ...(q === undefined ? {} : { q: String(q) }),
            ...(kind === undefined ? {} : { kind: kind as 'complaint' }),
            ...(priority === undefined ? {} : { priority: priority as 'high' }),
          },
          { signal },
        )
      }
      file="/operator/support/inbox"
      marks={[
        { command: 'conversation.close', input: (row) => (row.kind === 'conversation' && row.state !== 'closed' ? { conversationId: row.id } : undefined) },
      ]}
      rowKey={(row) => row.id}
      views={(['open', 'waiting', 'snoozed', 'closed'] as const).map((state) => ({
        id: state,
        label: t(SUPPORT_VIEW_TEXT[state]),
        set: { state: state === 'open' ? undefined : state },
      }))}
      chips={[
        ...(['conversation', 'complaint'] as const).map((kind) => ({ name: 'kind', value: kind, label: t(KIND_TEXT[kind]) })),
        ...(['urgent', 'high', 'normal'] as const).map((priority) => ({ name: 'priority', value: priority, label: t(SUPPORT_PRIORITY_TEXT[priority]) })),
      ]}
      rowKeys={{ s: (row) => openSnooze(row), p: (row) => openPriority(row) }}
      columns={useColumns()}
      empty={{ title: t('emptyTitle'), body: t('emptyBody') }}
      pollMs={5_000}
      sheet={({ id, row, close }) =>
        row?.kind === 'complaint' || id.startsWith('cmp_') ? (
          <ComplaintSheet key={id} id={id} onClose={close} />
        ) : (
          <ConversationSheet key={id} id={id} onClose={close} />
        )
      }
    />
  )
}

function useColumns(): readonly ListColumn<InboxListRow>[] {
  const t = useTexts(supportDeskTexts)
  return [
    {
      key: 'kind',
      header: t('colKind'),
      width: '84px',
      cell: (row) => <Badge tone={row.kind === 'complaint' ? 'warning' : 'neutral'}>{t(KIND_TEXT[row.kind])}</Badge>,
      csv: (row) => row.kind,
    },
    {
      key: 'text',
      header: t('colText'),
      mobile: 'title',
      cell: (row) => (
        <span className="line-clamp-2 max-w-[72ch] whitespace-normal [overflow-wrap:anywhere]">
          <PriorityTag priority={row.priority} /> {row.text}
        </span>
      ),
      csv: (row) => row.text,
    },
    {
      key: 'who',
      header: t('colWho'),
      cell: (row) => (row.userId ? <CustomerLink userId={row.userId} /> : <span className="num text-fg-2">{row.visitor}</span>),
      csv: (row) => row.userId ?? row.visitor ?? '',
    },
    {
      key: 'order',
      aside: true,
      header: t('colOrder'),
      cell: (row) => <span className="num text-fg-3">{row.orderNo ?? '—'}</span>,
      mobile: 'hidden',
      csv: (row) => row.orderNo ?? '',
    },
    {
      key: 'at',
      header: t('colAt'),
      align: 'right',
      mobile: 'primary',
      cell: (row) => (row.snoozedUntil ? <span className="num">{t('until', { at: displayTime(row.snoozedUntil) })}</span> : <Time at={row.at} />),
      csv: (row) => row.at,
    },
  ]
}
