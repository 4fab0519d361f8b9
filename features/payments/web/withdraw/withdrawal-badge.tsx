import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { paymentTexts } from '../../texts.ts'
import type { WithdrawalState } from '../../words-out.ts'

const tones: Record<WithdrawalState, Tone> = {
  requested: 'info',
  approving: 'info',
  approved: 'info',
  in_transit: 'info',
  paid: 'success',
  failed: 'danger',
  returned: 'warning',
  rejected: 'danger',
  cancelled: 'neutral',
}

export function WithdrawalBadge({ state }: { readonly state: WithdrawalState }) {
  const p = useTexts(paymentTexts)
  return <Badge tone={tones[state]}>{p(`withdraw_state_${state}`)}</Badge>
}
