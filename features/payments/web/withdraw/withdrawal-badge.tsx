import { parseUsd, sum, usd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import type { WithdrawalRow } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { LIVE_REFUNDS } from '../../words.ts'
import type { WithdrawalState } from '../../words-out.ts'

type Row = Pick<WithdrawalRow, 'state' | 'parts'> & Partial<Pick<WithdrawalRow, 'held'>>

const ENDED_BADLY: readonly WithdrawalState[] = ['failed', 'returned', 'rejected']

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

/** What went back over channels, though the transfer did not arrive. */
const goneParts = ({ state, parts = [] }: Row) => (ENDED_BADLY.includes(state) ? parts.filter((part) => LIVE_REFUNDS.includes(part.state)) : [])

/** Yuan that went back over channels when the rest did not arrive; undefined when nothing did, or not all of it in yuan. */
export function partlyArrived(row: Row): string | undefined {
  const gone = goneParts(row)
  return gone.length && gone.every((part) => part.payCurrency === 'CNY') ? usd(sum(gone.map((part) => parseUsd(part.payAmount)))) : undefined
}

/** The state in words. */
export function useStateText({ state, ...row }: Row): string {
  const p = useTexts(paymentTexts)
  const t = useTexts(withdrawTexts)
  if (row.held) return t('w_held')
  return goneParts({ state, ...row }).length ? t('withdraw_partly') : p(`withdraw_state_${state}`)
}

export function WithdrawalBadge({ row }: { readonly row: Row }) {
  return <Badge tone={goneParts(row).length ? 'warning' : tones[row.state]}>{useStateText(row)}</Badge>
}
