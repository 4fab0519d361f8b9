import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { OrderDetail } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { ProgressTimeline } from '../progress.tsx'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { PAYMENTS_METHOD_TEXT } from '../../labels/state-texts.ts'

const EVENT_TEXT = {
  expired: 'event_expired',
  dispute_lost: 'event_dispute_lost',
  refunded: 'event_refunded',
  disputed: 'event_disputed',
  paid: 'event_paid',
  cancelled: 'event_cancelled',
  created: 'event_created',
  fulfilled: 'event_fulfilled',
  paid_late: 'event_paid_late',
  opened: 'event_opened',
  doubted: 'event_doubted',
  found: 'event_found',
  paid_again: 'event_paid_again',
  turned_away: 'event_turned_away',
  returning: 'event_returning',
  impossible: 'event_impossible',
  mismatch: 'event_mismatch',
  resolved: 'event_resolved',
  refund_requested: 'event_refund_requested',
  refund_approved: 'event_refund_approved',
  refund_rejected: 'event_refund_rejected',
  refund_sent: 'event_refund_sent',
  refund_failed: 'event_refund_failed',
  refund_reversed: 'event_refund_reversed',
  dispute_won: 'event_dispute_won',
  repaired: 'event_repaired',
} as const

/** Timeline of the order, oldest first. */
export function OrderTimeline({ timeline, method, moving }: { readonly timeline: OrderDetail['timeline']; readonly method: number; readonly moving: boolean }) {
  const p = useTexts(paymentTexts)
  return (
    <ProgressTimeline
      moving={moving}
      steps={timeline.map(({ at, event, facts }, index) => ({
        key: `${index}`,
        at,
        text: p(EVENT_TEXT[event], {
          payAmount: '',
          payCurrency: '',
          ...facts,
          amount: facts['amount'] ? displayUsd(facts['amount']).slice(1) : '',
          method: p(resolveTextKey(PAYMENTS_METHOD_TEXT, String(facts['method'] ?? method))),
        }),
      }))}
    />
  )
}
