import { expect, test } from 'vitest'
import { formatMovementTitle } from '#features/wallet/contract-movements.ts'
import type { MovementKind } from '#features/wallet/contract-movements.ts'
import { formatBillTitle } from '../../bill-titles.ts'
import { cardServerTexts } from '../../server/mail-texts.ts'
import { billTexts } from '../../texts-bills.ts'
import { BILL_KINDS } from '../../words.ts'
import type { BillKind } from '../../words.ts'
import { formatBillName } from './bill-words.ts'

/**
 * The posting behind each kind of row. Kinds without an entry are finer than the ledger: parts of a fee, checks, reservations, moves
 * between a member's cards.
 */
const POSTED: Readonly<Partial<Record<BillKind, MovementKind>>> = {
  ...{ recharge: 'card.loaded', withdrawal: 'card.unloaded', returned: 'card.swept', settled_debt: 'card.debt_paid', purchase: 'card.spent' },
  ...{ refund: 'card.refund', refund_reversal: 'card.refund_reversed', dispute_credit: 'card.dispute_credit', dispute_lost: 'card.dispute_lost' },
}

test.each(['zh', 'en'] as const)('%s: a line of a card has the name of its movement, and one name everywhere', (lang) => {
  for (const kind of BILL_KINDS) {
    const posted = POSTED[kind]
    const name = posted ? formatMovementTitle(lang, posted, { isIn: false }) : formatBillTitle(lang, kind)
    expect([kind, formatBillTitle(lang, kind), formatBillName(lang, { merchant: '', kind })]).toEqual([kind, name, name])
  }
  expect(new Set(BILL_KINDS.map((kind) => formatBillTitle(lang, kind))).size).toBe(BILL_KINDS.length)
  // neither the page nor the papers have a second list of names
  const own = [...Object.keys(billTexts[lang]), ...Object.keys(cardServerTexts[lang])].filter((key) => /^bill_(?!state_)/.test(key))
  expect(own.toSorted()).toEqual(
    BILL_KINDS.filter((kind) => !POSTED[kind])
      .map((kind) => `bill_${kind}`)
      .toSorted(),
  )
})
