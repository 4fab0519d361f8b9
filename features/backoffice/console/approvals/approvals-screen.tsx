import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { commandsApi } from '../kit/command/command-api.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { ApprovalSheet } from './approval-sheet.tsx'
import { CommandStateBadge } from './state-badge.tsx'
import { approvalTexts } from './texts.ts'

const VIEW_TEXT = { waiting: 'view_waiting', failed: 'view_failed', refused: 'view_refused', all: 'view_all', done: 'view_done' } as const

/** Commands that wait for approval, and the history of earlier requests. */
export function ApprovalsScreen() {
  const t = useTexts(approvalTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  return (
    <ListScreen
      name="approvals"
      title={t('title')}
      about={t('about')}
      load={async ({ after, limit, state = 'waiting' }, signal) => {
        const { commands } = await commandsApi.list({ before: after, limit, ...(state === 'all' ? {} : { state: state as 'waiting' }) }, { signal })
        return { rows: commands, next: commands.length === limit ? (commands.at(-1)?.no ?? null) : null }
      }}
      rowKey={(row) => row.no}
      views={(['waiting', 'all', 'done', 'refused', 'failed'] as const).map((state) => ({
        id: state,
        label: t(VIEW_TEXT[state]),
        set: { state: state === 'waiting' ? undefined : state },
      }))}
      columns={[
        {
          key: 'act',
          header: t('colAct'),
          cell: (row) => <strong className="font-semibold">{say.command(row.name)}</strong>,
          mobile: 'title',
          csv: (row) => row.name,
        },
        {
          key: 'subject',
          header: t('colSubject'),
          cell: (row) => <span className="num block max-w-[40ch] truncate [[data-beside]_&]:max-w-[28ch]">{say.subject(row.subject)}</span>,
          csv: (row) => row.subject,
        },
        { key: 'who', header: t('colWho'), cell: (row) => nameOf(row.askedBy), csv: (row) => nameOf(row.askedBy) },
        { key: 'when', aside: true, header: t('colWhen'), align: 'right', cell: (row) => <Time at={row.askedAt} />, csv: (row) => row.askedAt },
        {
          key: 'state',
          header: t('colState'),
          width: '200px',
          cell: (row) => <CommandStateBadge state={row.state} askedBack={row.askedBack} />,
          mobile: 'primary',
          csv: (row) => row.state,
        },
      ]}
      empty={{ title: t('emptyTitle'), body: t('emptyBody') }}
      pollMs={10_000}
      sheet={({ id, close }) => <ApprovalSheet key={id} no={id} onClose={close} />}
    />
  )
}
