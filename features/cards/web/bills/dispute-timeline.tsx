import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import { billTexts } from '../../texts-bills.ts'
import type { BillDetail } from './use-bills.ts'
import { CARDS_REASON_TEXT } from '../../state-texts-bills.ts'

const DISPUTE_STATE_TEXT = {
  lost: 'disputeState_lost',
  expired: 'disputeState_expired',
  refused: 'disputeState_refused',
  draft: 'disputeState_draft',
  submitted: 'disputeState_submitted',
  won: 'disputeState_won',
} as const

type Dispute = NonNullable<BillDetail['dispute']>

/** How a dispute goes: what was said, where it is, how it ended. */
export function DisputeTimeline({ dispute }: { readonly dispute: Dispute }) {
  const t = useTexts(billTexts)
  const { state, createdTime, submittedTime, finishedTime, amount } = dispute
  const over = finishedTime !== null
  const day = (time: string | null) => (time === null ? '' : displayTime(time).slice(5))
  return (
    <section aria-labelledby="dispute-title" className="border-t border-line pt-5">
      <h3 id="dispute-title" className="text-14 font-semibold">
        {t('disputeOf', { amount: displayUsd(amount), reason: t(CARDS_REASON_TEXT[dispute.reason]) })}
      </h3>
      <blockquote className="mt-1.5 mb-4 border-l-2 border-line pl-3 text-13 whitespace-pre-line text-fg-2">{dispute.words}</blockquote>
      <Timeline
        label={t('disputeCourse')}
        steps={[
          { key: 'made', state: 'done', text: t('disputeState_made'), time: day(createdTime) },
          {
            key: 'sent',
            state: submittedTime ? 'done' : over ? 'done' : 'now',
            text: t('disputeState_sent'),
            time: submittedTime ? day(submittedTime) : over ? '' : t('disputeState_sentTime'),
          },
          {
            key: 'end',
            state: over ? (state === 'won' ? 'done' : 'failed') : submittedTime ? 'now' : 'todo',
            text: over ? t(DISPUTE_STATE_TEXT[state]) : t('disputeState_waits'),
            time: over ? day(finishedTime) : t('disputeState_waitsTime'),
            note: dispute.credited ? t('disputeState_credited', { amount: displayUsd(amount) }) : undefined,
          },
        ]}
      />
    </section>
  )
}
