import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minorToNano, subtractNano, parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { countCommonPlaces, showUsd } from '#platform/shared/show-money.ts'
import { fill } from '#platform/shared/texts.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { computePriceFigures, formatFigures } from '../../figures.ts'
import { paymentMailTexts } from '../mail-texts.ts'
import { formatLineCells, formatTotalDue } from '../paper/draw-invoice.ts'

// Random orders and usage, compared across the code of pages, mails and invoices. The overview's figures:
// wallet/server/funds/funds.db.test.ts.
const cents = fc.bigInt({ min: 500n, max: 40_000n }).map(minorToNano)
const order = fc.record({
  amount: cents,
  percent: fc.constantFrom('0', '2', '3.5', '4.25'),
  fixed: fc.constantFrom('0', '0.30', '1.05'),
  rate: fc.constantFrom('1.0', '7.1230', '6.98'),
  /** Part of the payment that was refunded. */
  back: fc.constantFrom(0n, 0n, 1n, 2n),
})
/** Costs of calls: a few nano-dollars, a few dollars, and token sums of a model at any price. */
const cost = fc.oneof(fc.bigInt({ min: 1n, max: 5_000n }), fc.bigInt({ min: 1n, max: 5_000_000n }), fc.bigInt({ min: 1n, max: 3_000_000_000n }))
const account = fc.record({
  orders: fc.array(order, { maxLength: 8 }),
  costs: fc.array(cost, { maxLength: 12 }),
})

/** Every amount in a text, in reading order. */
const read = (text: string): Nano[] =>
  [...text.matchAll(/([−-]?)[$¥]?(\d[\d,]*\.\d{2,9})/g)].map(([, sign, digits]) => parseUsd(`${sign ? '-' : ''}${digits!.replaceAll(',', '')}`))
const one = (text: string): Nano => {
  const found = read(text)
  expect([text, found.length]).toEqual([text, 1])
  return found[0]!
}

function checkOrders(orders: readonly { amount: Nano; percent: string; fixed: string; rate: string; back: bigint }[]): void {
  const lines = orders.map(({ amount, percent, fixed, rate, back }) => {
    const figures = computePriceFigures(formatUsd(amount), { feePercent: percent, fixedFee: fixed }, { rate })
    const texts = formatFigures(figures)
    const returned = (figures.amount * back) / 4n
    expect(sumNano([one(showUsd(texts.amount)), one(showUsd(texts.fee))])).toBe(one(showUsd(texts.total)))
    for (const lang of ['zh', 'en'] as const) {
      const mail = fill(paymentMailTexts[lang].mail_paid_body, { ...texts, title: 'API', orderNo: 'x', payCurrency: 'CNY', link: '' })
      const [top, fee, total] = read(mail)
      expect([sumNano([top!, fee!]), read(fill(paymentMailTexts[lang].mail_paid_subject, { ...texts, orderNo: 'x' }))]).toEqual([total, [total]])
    }
    const cells = formatLineCells({
      ...texts,
      orderNo: '',
      orderType: 10,
      method: 1,
      paidTime: '',
      back: formatUsd(returned),
      net: formatUsd(subtractNano(figures.total, returned)),
    })
    expect(sumNano([one(cells.amount), one(cells.fee), ...(cells.back === '–' ? [] : [one(cells.back)])])).toBe(one(cells.net))
    return { figures, returned, net: one(cells.net) }
  })
  expect(
    one(formatTotalDue({ net: formatUsd(subtractNano(sumNano(lines.map(({ figures }) => figures.total)), sumNano(lines.map(({ returned }) => returned)))) })),
  ).toBe(sumNano(lines.map(({ net }) => net)))
}

function checkUsage(costs: readonly Nano[]): void {
  const texts = [...costs, sumNano(costs)].map(formatUsd)
  const shown = texts.map((text) => one(showUsd(text, countCommonPlaces(texts, 4))))
  expect(sumNano(shown.slice(0, -1))).toBe(shown.at(-1))
}

test('figures of orders in mails and invoices, and lists of usage, add up to their totals', () => {
  fc.assert(
    fc.property(account, ({ orders, costs }) => {
      checkOrders(orders)
      checkUsage(costs)
    }),
    { numRuns: chooseRounds(300, 10_000) },
  )
})
