import { expect, test } from 'vitest'
import { NANO_PER_CENT } from '#platform/shared/money.ts'
import { HOME_MERCHANT } from '../testing/book-issuer.ts'
import type { IssuerTransaction } from '../vendors/port.ts'
import { findCardDiscrepancies } from './book.ts'
import type { OurRow } from './data.ts'

const ROWS = 10_000
const FAULTS = ['amount', 'kind', 'card', 'missing', 'extra', 'twice'] as const

test(`C11: of ${ROWS} rows one in a hundred is wrong: each is found by its kind, and none besides`, () => {
  const theirs: IssuerTransaction[] = []
  const ours: OurRow[] = []
  const planted: [string, string][] = []
  for (let n = 0; n < ROWS; n++) {
    const row: IssuerTransaction = {
      ref: `it_${n}`,
      cardRef: `ic_${n % 97}`,
      kind: n % 5 ? 'capture' : 'refund',
      minor: BigInt(1 + (n % 9999)),
      merchant: HOME_MERCHANT,
      at: new Date(Date.UTC(2026, 10, 22, n % 24)),
    }
    const own = { ref: row.ref, cardRef: row.cardRef, kind: row.kind, amount: row.minor * NANO_PER_CENT, ofDay: true } as OurRow
    const fault = n % 100 === 37 ? FAULTS[Math.floor(n / 100) % FAULTS.length] : undefined
    if (fault) planted.push([row.ref, fault])
    if (fault !== 'missing') ours.push(own)
    if (fault === 'extra') continue
    const said =
      fault === 'amount'
        ? { ...row, minor: row.minor + 1n }
        : fault === 'kind'
          ? { ...row, kind: 'refund_reversal' as const }
          : fault === 'card'
            ? { ...row, cardRef: 'ic_x' }
            : row
    theirs.push(said)
    if (fault === 'twice') theirs.push(row)
  }
  const found = findCardDiscrepancies(ours, theirs.toReversed()).map(({ ref, fault }) => [ref, fault])
  expect(planted).toHaveLength(ROWS / 100)
  expect(found.toSorted()).toEqual(planted.toSorted())
})
