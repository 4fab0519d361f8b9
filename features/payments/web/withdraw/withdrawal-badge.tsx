import { subtractNano, parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { PAYOUT_CURRENCY } from '../../contract-currencies.ts'
import type { WithdrawalRow } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { WITHDRAWAL_STATE_TEXT } from '../../labels/texts-withdrawal-states.ts'
import { LIVE_REFUNDS } from '../../words.ts'
import type { WithdrawalState } from '../../words-out.ts'

type Row = Pick<WithdrawalRow, 'state' | 'parts'> & Partial<Pick<WithdrawalRow, 'held' | 'taken'>>

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

/** Refunded parts of a withdrawal whose transfer failed. */
const listRefundedParts = ({ state, parts = [] }: Row) => (ENDED_BADLY.includes(state) ? parts.filter((part) => LIVE_REFUNDS.includes(part.state)) : [])

/** True if it ended without arriving and a debt took part of it. */
export const isTakenByDebt = ({ state, taken = '0' }: Row) => taken !== '0' && (ENDED_BADLY.includes(state) || state === 'cancelled')

/** Sum set aside, or back in the balance: all but the refunded parts and the debt paid. */
export function computeReturned({ amount, taken, ...row }: Row & Pick<WithdrawalRow, 'amount' | 'taken'>): string {
  return formatUsd(subtractNano(subtractNano(parseUsd(amount), parseUsd(taken)), sumNano(listRefundedParts(row).map((part) => parseUsd(part.amount)))))
}

/** Yuan refunded if the rest did not arrive; undefined if nothing was refunded, or not all of it in yuan. */
export function sumPartlyRefunded(row: Row): string | undefined {
  const gone = listRefundedParts(row)
  return gone.length && gone.every((part) => part.payCurrency === PAYOUT_CURRENCY)
    ? formatUsd(sumNano(gone.map((part) => parseUsd(part.payAmount))))
    : undefined
}

/** Badge with a withdrawal's state in words. */
export function useStateText({ state, ...row }: Row): string {
  const p = useTexts(paymentTexts)
  const t = useTexts(withdrawTexts)
  if (row.held) return t('w_held')
  if (listRefundedParts({ state, ...row }).length) return t('withdraw_partly')
  return isTakenByDebt({ state, ...row }) ? t('w_taken') : p(WITHDRAWAL_STATE_TEXT[state])
}

export function WithdrawalBadge({ row }: { readonly row: Row }) {
  return <Badge tone={listRefundedParts(row).length ? 'warning' : tones[row.state]}>{useStateText(row)}</Badge>
}
