import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { createId } from '#platform/shared/ids.ts'
import { subtractNano, parseUsd, addNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useTestDb } from '#platform/testing/db.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { fundsContract } from '../../contract-funds.ts'
import { systemAccount, userAccount, cardAccount } from '../accounts.ts'
import type { Leg, PostedKind } from '../accounts.ts'
import { readBalance } from '../verbs/balance.ts'
import { captureHold, captureHolds } from '../verbs/capture.ts'
import { creditUser } from '../verbs/credit.ts'
import { placeHold } from '../verbs/hold.ts'
import { postTransaction } from '../verbs/post.ts'
import { refundTransaction } from '../verbs/refund.ts'
import { funds, fundsCsv, fundsSummary } from './read-funds.ts'
import { registerUsageSource } from './sources.ts'

const db = await useTestDb()
const money = <T>(work: (tx: Tx) => Promise<T>) => transact(db, SYSTEM, work)

/** API usage by account: the part that the gateway stores. */
const used = new Map<bigint, bigint>()
const accountOf = async (userId: string) =>
  (await db.query<{ id: bigint }>(`select id from wallet_accounts where owner = $1 and kind = 'customer'`, [`user:${userId}`]))[0]!.id
const today = () => toShanghaiDay(new Date())
registerUsageSource({
  days: async (_, id, { from, before }) =>
    used.get(id) && today() >= from && today() < before ? [{ day: today(), keyId: 'k', keyName: 'K', calls: 3, models: ['m'], amount: used.get(id)! }] : [],
  sum: async (_, id, { from, before }) => (today() >= from && today() < before ? (used.get(id) ?? 0n) : 0n),
  firstDay: async () => undefined,
})

const ctxOf = (userId: string) => ({ db, userId, lang: 'zh', clock: { now: () => new Date() } }) as unknown as Ctx
const read = (userId: string, input: object = {}) => funds(ctxOf(userId), { limit: 200, ...input }) as Promise<ReplyOf<typeof fundsContract.funds>>
const summary = (userId: string) => fundsSummary(ctxOf(userId), {}) as Promise<ReplyOf<typeof fundsContract.fundsSummary>>

async function use(userId: string, amount: bigint): Promise<void> {
  const id = createId('lease')
  await money((tx) => placeHold(tx, { id, userId, amount: 1n, ttlSeconds: 60, purpose: 'test', atLeast: 1n }))
  const [row] = await money((tx) => captureHolds(tx, 'gateway.usage', { charges: [{ holdId: id, amount, ref: id }] }))
  if (row!.outcome !== 'captured') return
  const account = await accountOf(userId)
  used.set(account, addNano(used.get(account) ?? 0n, amount))
}

/** One random act of a customer's life; a refusal of the ledger is an act without effect. */
async function act(userId: string, which: number, amount: bigint): Promise<void> {
  const [me, ref] = [userAccount(userId), createId('act')]
  const out = (kind: PostedKind, leg: Partial<Leg> & Pick<Leg, 'to'>) => money((tx) => postTransaction(tx, { kind, ref, legs: [{ from: me, amount, ...leg }] }))
  const back = async (first: PostedKind, via: Leg['to'], kind: PostedKind) => {
    await out(first, { to: via })
    await money((tx) => refundTransaction(tx, { userId, amount: (amount + 1n) / 2n, kind, ref: `${ref}b`, of: { kind: first, ref }, from: via.kind }))
  }
  const acts: (() => Promise<unknown>)[] = [
    () => money((tx) => creditUser(tx, { userId, amount, from: 'wash', ref: `order:${ref}` })),
    () => money((tx) => creditUser(tx, { userId, amount, from: 'wash', ref: `order:${ref}`, fee: 7n })),
    () => money((tx) => creditUser(tx, { userId, amount, from: 'grants', ref })),
    () => money((tx) => creditUser(tx, { userId, amount, from: 'wash', ref, kind: 'refund.credited' })),
    () => out('order.balance', { to: systemAccount('revenue') }),
    () => out('invoice.fee', { to: systemAccount('fees') }),
    () => out('dispute', { to: systemAccount('wash'), owe: true }),
    () => out('dispute.fee', { to: systemAccount('fees'), owe: true }),
    () => out('bonus.revoked', { to: systemAccount('grants'), take: { kind: 'granted' } }),
    () => back('order.balance', systemAccount('revenue'), 'refund.done'),
    () => back('card.recharge', systemAccount('in_transit'), 'card.refused'),
    () => use(userId, amount),
    () => use(userId, amount * 30n),
    async () => {
      await money((tx) => placeHold(tx, { id: ref, userId, amount, ttlSeconds: 600, purpose: 'w' }))
      await money((tx) => captureHold(tx, { holdId: ref, amount, kind: 'withdraw.sent', ref, to: systemAccount('in_transit') }))
    },
    async () => {
      await money((tx) =>
        postTransaction(tx, { kind: 'invitation.earned', ref, legs: [{ from: systemAccount('marketing'), to: userAccount(userId, 'reward'), amount }] }),
      )
      await money((tx) => postTransaction(tx, { kind: 'invitation.moved', ref, legs: [{ from: userAccount(userId, 'reward'), to: me, amount }] }))
    },
    // two accounts of people in one posting: the card's comes first
    async () => {
      const card = cardAccount(ref)
      await money((tx) =>
        postTransaction(tx, {
          kind: 'card.loaded',
          ref,
          legs: [
            { from: systemAccount('wash'), to: systemAccount('in_transit'), amount },
            { from: systemAccount('in_transit'), to: card, amount },
          ],
        }),
      )
      await money((tx) =>
        postTransaction(tx, {
          kind: 'card.swept',
          ref,
          legs: [
            { from: card, to: systemAccount('in_transit'), amount },
            { from: systemAccount('in_transit'), to: me, amount },
          ],
        }),
      )
    },
    () => hold2(userId, amount, ref),
  ]
  await acts[which % acts.length]!().catch((error: unknown) => {
    if (!/INSUFFICIENT_FUNDS|HOLD_CLOSED|REFUND_TOO_LARGE|DEBT_FIRST/.test(String(error))) throw error
  })
}
/** Set aside, and no row. */
const hold2 = (userId: string, amount: bigint, id: string) => money((tx) => placeHold(tx, { id, userId, amount, ttlSeconds: 600, purpose: 'test' }))

function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => Math.floor(((state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648) * below)
}

test('random histories: rows, totals, filters, pages, file and overview all equal the ledger', async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const userId = createId('funds')
    const draw = dice(seed * 7919)
    await act(userId, 0, 500_000_000_000n)
    for (let n = 0; n < 40; n++) await act(userId, draw(17), BigInt(1 + draw(9)) * BigInt(1 + draw(2_000_000_000)))

    const { posted, receivable } = await readBalance(db, userId)
    const books = formatUsd(addNano(posted, receivable))
    const page = await read(userId)
    expect({ seed, closing: page.totals.closing }).toEqual({ seed, closing: books })
    expect(page.rowList[0]!.balance).toBe(books)
    expect(formatUsd(sumNano(page.rowList.map((row) => parseUsd(row.amount))))).toBe(formatUsd(subtractNano(parseUsd(books), parseUsd(page.totals.opening))))
    expect(page.sum).toBe(books)
    const { opening, topup, refund: back, reward, spend, card, withdraw } = page.totals
    expect(formatUsd(subtractNano(sumNano([opening, topup, back, reward].map(parseUsd)), sumNano([spend, card, withdraw].map(parseUsd))))).toBe(books)

    // filters keep the balance and add up
    let rows = 0
    for (const category of ['topup', 'spend', 'card', 'withdraw', 'refund', 'reward'] as const) {
      const part = await read(userId, { category })
      expect(part.found).toBe(page.counts[category])
      expect(part.rowList).toEqual(page.rowList.filter((row) => row.category === category).map((row) => ({ ...row, at: expect.any(String) as string })))
      rows += part.found
    }
    expect(rows).toBe(page.counts.all)

    // pages of three are the page
    const seen: string[] = []
    for (let after: string | undefined; ;) {
      const part = await read(userId, { limit: 3, ...(after ? { after } : {}) })
      seen.push(...part.rowList.map((row) => row.id))
      if (!part.next) break
      after = part.next
    }
    expect(seen).toEqual(page.rowList.map((row) => row.id))

    const { body } = (await fundsCsv(ctxOf(userId), {})) as { body: Uint8Array }
    const lines = Buffer.from(body).toString().split('\r\n').slice(1, -1)
    expect(lines.map((line) => line.split(',').slice(-3, -1))).toEqual(page.rowList.map((row) => [row.amount, row.balance]))
    expect(Buffer.from(body).toString()).not.toMatch(/service\.|batch:|gateway\.usage|order\.balance/)

    const all = await summary(userId)
    expect(all.balance).toBe(books)
    expect(formatUsd(subtractNano(parseUsd(all.added), sumNano([all.spent, all.out, all.chargeback].map(parseUsd))))).toBe(books)
    expect(all.monthSpent).toBe(all.spent)
    expect(all.recent.map((row) => row.id)).toEqual(page.rowList.slice(0, 5).map((row) => row.id))
  }
})

test('a month before the first movement is empty and stands at zero; a stranger has nothing', async () => {
  const userId = createId('funds')
  await act(userId, 0, 5n)
  expect(await read(userId, { month: '2020-01' })).toMatchObject({ rowList: [], isCurrent: false, totals: { opening: '0', closing: '0' } })
  expect(await read('nobody-here')).toMatchObject({ rowList: [], totals: { opening: '0', closing: '0' }, counts: { all: 0 } })
})

test('no query of the page reads charges of calls: the plan uses the three indexes', async () => {
  const userId = createId('funds')
  await act(userId, 0, 5_000_000n)
  const plan = await money(async (tx) => {
    await tx.query('set local enable_seqscan = off')
    return tx.query<{ 'QUERY PLAN': string }>(
      `explain select 1 from wallet_accounts o join wallet_transfers f on f.debit_account_id = o.id where o.owner = $1 and f.debit_kind in ('customer', 'receivable') and f.credit_kind <> 'revenue'`,
      [`user:${userId}`],
    )
  })
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('wallet_transfers_out')
})
