import { expect, test } from 'vitest'
import { subtractNano, parseUsd, addNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { FUNDS_CATEGORIES, MOVEMENTS } from '../../contract-movements.ts'
import type { MovementKind } from '../../contract-movements.ts'
import type { MovementRow } from './data-funds.ts'
import { countByCategory, matchesSearch, buildLedgerRows, computeFundsTotals } from './ledger.ts'
import type { UsageDay } from './sources.ts'
import { computeMonthBounds } from './read-funds.ts'

const NOW = new Date('2026-11-28T14:20:00+08:00')
const KINDS = (Object.keys(MOVEMENTS) as MovementKind[]).filter((kind) => MOVEMENTS[kind].ledger === 'balance' && !MOVEMENTS[kind].summed)

/** Repeatable: the same seed draws the same history. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

function history(seed: number) {
  const draw = dice(seed)
  const movements: MovementRow[] = Array.from({ length: draw(60) }, (_, n) => ({
    id: BigInt(n + 1),
    kind: KINDS[draw(KINDS.length)]!,
    ref: `order:${n}`,
    at: new Date(Date.UTC(2026, 10, 1 + draw(27), draw(24), draw(60))),
    amount: BigInt(draw(2) ? 1 : -1) * BigInt(1 + draw(2_000_000_000)) * BigInt(1 + draw(50)),
    orderRef: null,
  })).toSorted((a, b) => a.at.getTime() - b.at.getTime() || Number(a.id - b.id))
  const usage: UsageDay[] = []
  for (let day = 1; day <= 28; day++)
    for (let key = 0; key < draw(4); key++)
      usage.push({
        ...{ day: `2026-11-${String(day).padStart(2, '0')}`, keyId: `key${key}`, keyName: '', calls: 1 + draw(50), models: [`m${draw(5)}`] },
        amount: BigInt(draw(2_000_000_000)),
      })
  return { movements, usage, opening: BigInt(draw(1_000_000_000)) }
}

test('random months: each balance follows, rows add up to the totals, counts add up to all', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const { movements, usage, opening } = history(seed)
    const rows = buildLedgerRows({ lang: 'zh', now: NOW, opening, movements, usage, facts: new Map() })
    let balance = opening
    for (const { row, amount } of rows.toReversed()) {
      balance = addNano(balance, amount)
      expect({ seed, balance: row.balance, amount: row.amount }).toEqual({ seed, balance: formatUsd(balance), amount: formatUsd(amount) })
      if (row.days) expect(formatUsd(sumNano(row.days.map((one) => parseUsd(one.amount))))).toBe(row.amount)
    }
    const totals = computeFundsTotals(opening, rows)
    const [t, r, w, s, c, o] = [totals.topup, totals.refund, totals.reward, totals.spend, totals.card, totals.withdraw].map(parseUsd) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ]
    expect(formatUsd(subtractNano(sumNano([opening, t, r, w]), sumNano([s, c, o])))).toBe(totals.closing)
    const moved = subtractNano(sumNano(movements.map((one) => one.amount)), sumNano(usage.map((one) => one.amount)))
    expect(totals.closing).toBe(formatUsd(addNano(opening, moved)))
    const counts = countByCategory(rows)
    expect(FUNDS_CATEGORIES.reduce((all, category) => all + counts[category], 0)).toBe(counts.all)
  }
})

test('days of calls fold only where no other movement stands between them', () => {
  const day = (date: string, key = 'a'): UsageDay => ({ day: date, keyId: key, keyName: key, calls: 2, models: ['m'], amount: 1_000_000n })
  const topUp: MovementRow = { id: 1n, kind: 'topup', ref: 'order:1', at: new Date('2026-11-22T09:41:00+08:00'), amount: 5_000_000n, orderRef: null }
  const rows = buildLedgerRows({
    ...{ lang: 'zh' as const, now: NOW, opening: 0n, movements: [topUp], facts: new Map() },
    usage: [day('2026-11-20'), day('2026-11-21'), day('2026-11-21', 'b'), day('2026-11-22'), day('2026-11-28')],
  })
  expect(rows.map(({ row }) => `${row.title} ${row.amount} ${row.balance}`)).toEqual([
    'API 调用，11-22 到 今天 -0.002 0',
    '充值 0.005 0.002',
    'API 调用，11-20 到 11-21 -0.003 -0.003',
  ])
  expect(toShanghaiDay(new Date(rows[2]!.row.at))).toBe('2026-11-21')
})

test('a kind without an entry still counts, under neutral words', () => {
  const odd: MovementRow = { id: 1n, kind: 'test.odd', ref: 'x', at: NOW, amount: -7n, orderRef: null }
  const [only] = buildLedgerRows({ lang: 'en', now: NOW, opening: 10n, movements: [odd], usage: [], facts: new Map() })
  expect(only!.row).toMatchObject({ title: 'Other', category: 'spend', amount: '-0.000000007' })
})

test('search finds an amount in any usual form, the end of a number, and words', () => {
  const facts = new Map([[1n, { subject: '标准卡 4829', to: '标准卡 4829', orderNo: '20261128-0123456789AB' }]])
  const moved: MovementRow = { id: 1n, kind: 'card.recharge', ref: 'cmv_1', at: NOW, amount: -25_000_000_000n, orderRef: null }
  const [row] = buildLedgerRows({ lang: 'zh', now: NOW, opening: 0n, movements: [moved], usage: [], facts })
  for (const hit of ['25', '$25.00', '−25.0', '4829', '89ab', '转到']) expect([hit, matchesSearch(row!, hit)]).toEqual([hit, true])
  for (const miss of ['26', '2.5', 'zzz', 'ab12']) expect([miss, matchesSearch(row!, miss)]).toEqual([miss, false])
})

test('months begin and end at midnight in Shanghai', () => {
  const { from, before, firstDay, dayAfter } = computeMonthBounds('2026-12')
  expect([from.toISOString(), before.toISOString(), firstDay, dayAfter]).toEqual([
    '2026-11-30T16:00:00.000Z',
    '2026-12-31T16:00:00.000Z',
    '2026-12-01',
    '2027-01-01',
  ])
})
