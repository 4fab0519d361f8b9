import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { paymentTexts } from '../texts.ts'
import type { OrderState } from '../words.ts'
import { PAYMENTS_STATE_TEXT } from '../labels/state-texts.ts'

const tones: Record<OrderState, Tone> = {
  created: 'warning',
  paying: 'warning',
  unknown: 'info',
  paid: 'success',
  fulfilled: 'success',
  paid_late: 'success',
  expired: 'neutral',
  cancelled: 'neutral',
  integrity_failure: 'info',
  refunding: 'info',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  disputed: 'warning',
}

/** Badge of a state: its word matters first, its colour second. */
export function OrderStateBadge({ state }: { readonly state: OrderState }) {
  const t = useTexts(paymentTexts)
  return <Badge tone={tones[state]}>{t(PAYMENTS_STATE_TEXT[state])}</Badge>
}
