import { cardMovementTexts } from '#features/wallet/texts-card-movements.ts'
import type { Lang, TextKeyOf } from '#platform/shared/texts.ts'
import { billTexts } from './texts-bills.ts'
import type { BillKind } from './words.ts'

type MovementText = TextKeyOf<typeof cardMovementTexts>
type BillText = TextKeyOf<typeof billTexts>

/** Name of each line of a card's book: the ledger's movement, or a text of its own where the book is finer than the ledger. */
const TITLES: Readonly<Record<BillKind, { readonly movement: MovementText } | { readonly text: BillText }>> = {
  recharge: { movement: 'mv_card_loaded' },
  activation: { text: 'bill_activation' },
  withdrawal: { movement: 'mv_card_unloaded' },
  purchase: { movement: 'mv_card_spent' },
  verification: { text: 'bill_verification' },
  refund: { movement: 'mv_card_refund' },
  refund_reversal: { movement: 'mv_card_refund_reversed' },
  dispute_credit: { movement: 'mv_card_dispute_credit' },
  dispute_lost: { movement: 'mv_card_dispute_lost' },
  fee_abroad: { text: 'bill_fee_abroad' },
  fee_refund: { text: 'bill_fee_refund' },
  fee_reversal: { text: 'bill_fee_reversal' },
  settled_debt: { movement: 'mv_card_debt_paid' },
  moved_in: { text: 'bill_moved_in' },
  moved_out: { text: 'bill_moved_out' },
  returned: { movement: 'mv_card_swept' },
  kept: { text: 'bill_kept' },
}

/** Read by the card page, its filters, the CSV and the monthly statement. */
export function formatBillTitle(lang: Lang, kind: BillKind): string {
  const title = TITLES[kind]
  return 'text' in title ? billTexts[lang][title.text] : cardMovementTexts[lang][title.movement]
}
