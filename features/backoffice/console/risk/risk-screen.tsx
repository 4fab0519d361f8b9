import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import type { reviewContract } from '#features/invitations/contract.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { serviceDeskTexts } from '../services/texts.ts'
import { reviewApi } from './api.ts'
import { ReviewSheet } from './review-sheet.tsx'
import { useSignal } from './use-signal.ts'

type Review = ReplyOf<(typeof reviewContract)['reviews']>['reviews'][number]

/** Inviters whose rewards wait for a person, and what their people have in common. */
export function RiskScreen() {
  const t = useTexts(serviceDeskTexts)
  const say = useSignal()
  return (
    <ListScreen<Review>
      name="reviews"
      title={t('riskTitle')}
      about={t('riskAbout')}
      load={async (_input, signal) => ({ rows: (await reviewApi.reviews({}, { signal })).reviews, next: null })}
      rowKey={(row) => row.inviterId}
      columns={[
        {
          key: 'who',
          header: t('colInviter'),
          mobile: 'title',
          cell: (row) => <CustomerLink userId={row.inviterId}>{row.who}</CustomerLink>,
          csv: (row) => row.inviterId,
        },
        { key: 'signals', header: t('colSignals'), cell: (row) => row.signals.map((name) => say(name)).join(' · '), csv: (row) => row.signals.join('; ') },
        {
          key: 'rewards',
          header: t('colRewards'),
          align: 'right',
          cell: (row) => <span className="num">{row.rewards}</span>,
          csv: (row) => String(row.rewards),
        },
        {
          key: 'amount',
          header: t('colAmount'),
          align: 'right',
          mobile: 'primary',
          cell: (row) => <span className="num">{displayUsd(row.amount)}</span>,
          csv: (row) => row.amount,
        },
        { key: 'due', header: t('colDue'), align: 'right', cell: (row) => <Time at={row.dueAt} />, csv: (row) => row.dueAt },
      ]}
      empty={{ title: t('riskEmptyTitle'), body: t('riskEmptyBody') }}
      pollMs={10_000}
      sheet={({ id, close }) => <ReviewSheet key={id} userId={id} onClose={close} />}
    />
  )
}
