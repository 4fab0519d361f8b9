import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { minus, sum, usd } from '#platform/shared/money.ts'
import { contactOf, freezesOf, maskedContactsOf, maskedWaysOf } from '#features/account/server/door.ts'
import { balanceOf, rewardsOf } from '#features/wallet/server/door.ts'
import type { customersContract, CustomerListRow } from '../../contract-customers.console.ts'
import { countsOf, findCustomer, listCustomers, openHolds, openLots, waitingFor } from './data-customers.ts'
import type { CustomerLine, CustomerRow, LotRow } from './data-customers.ts'
import { riskOf } from './data-withdrawals.ts'
import { pageOf } from './keyset.ts'
import { payoutFacts } from './risk-facts.ts'

type Contract = typeof customersContract
const LOTS = 8

const lineOf = (row: CustomerLine, contact: string): CustomerListRow => ({
  ...{
    userId: row.id,
    name: row.name,
    status: row.status,
    contact,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  },
  ...{ available: usd(row.available), recharged: usd(row.recharged), spent: usd(row.spent) },
})

export async function readCustomers(ctx: Ctx, { q, status, after, limit }: InputOf<Contract['customers']>): Promise<ReplyOf<Contract['customers']>> {
  const rows = await listCustomers(ctx.db, { q: q || undefined, begins: ctx.operator!.permissions.has('contacts.reveal'), status, after, limit: limit + 1 })
  const contacts = await maskedContactsOf(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return pageOf(
    rows,
    limit,
    (row) => lineOf(row, contacts.get(row.id) ?? ''),
    (row) => row.id,
  )
}

export async function readCustomer(ctx: Ctx, { userId }: InputOf<Contract['customer']>): Promise<ReplyOf<Contract['customer']>> {
  const { db } = ctx
  const row = (await findCustomer(db, userId)) ?? fail('NOT_FOUND')
  const [ways, contact, lots, holds, risk, waiting] = await Promise.all([
    ...([maskedWaysOf(db, userId), contactOf(db, userId), openLots(db, userId, 200)] as const),
    ...([openHolds(db, userId), riskOf(db, userId), waitingFor(db, userId)] as const),
  ])
  return {
    ...whoOf(row),
    freezes: await freezesView(ctx, row),
    ...{ email: ways.email, mobile: ways.mobile },
    balance: await balanceView(ctx, row),
    lots: lots.slice(0, LOTS).map(lotView),
    lotsMore: { count: Math.max(0, lots.length - LOTS), left: usd(sum(lots.slice(LOTS).map(({ remaining }) => remaining))) },
    holds: holds.map(({ id, purpose, amount, created_at: at }) => ({ id, purpose, amount: usd(amount), at: at.toISOString() })),
    counts: await countsOf(db, userId, contact?.email ?? null),
    facts: payoutFacts(risk, ctx.clock.now()),
    waiting: waiting.map(({ no, name, asked_by: askedBy, asked_at: at }) => ({ no, name, askedBy, at: at.toISOString() })),
  }
}

const whoOf = (row: CustomerRow) => ({
  ...{ userId: row.id, name: row.name, status: row.status, createdAt: row.created_at.toISOString(), lastSeenAt: row.last_seen_at?.toISOString() ?? null },
  ...{ lang: row.language, google: row.google, identity: row.identity ?? 'none', hasPayPassword: row.has_pay_password },
})

async function freezesView({ db }: Ctx, row: CustomerRow) {
  const whole =
    row.frozen_at && row.frozen_reason && row.frozen_by
      ? [{ scope: 'all' as const, at: row.frozen_at.toISOString(), reason: row.frozen_reason, by: row.frozen_by }]
      : []
  const parts = await freezesOf(db, row.id)
  return [...whole, ...parts.map(({ scope, frozen_at: at, reason, frozen_by: by }) => ({ scope, at: at.toISOString(), reason, by }))]
}

const lotView = (lot: LotRow) => ({
  ...{ id: String(lot.id), kind: lot.kind, orderNo: lot.order_ref, amount: usd(lot.amount), left: usd(lot.remaining) },
  ...{ at: lot.created_at.toISOString(), expiresAt: lot.expires_at?.toISOString() ?? null },
})

async function balanceView({ db }: Ctx, row: CustomerRow) {
  const [balance, rewards] = await Promise.all([balanceOf(db, row.id), rewardsOf(db, row.id)])
  return {
    ...{ posted: usd(balance.posted), held: usd(balance.held), available: usd(balance.available), granted: usd(balance.grantedUnspent) },
    ...{ withdrawable: usd(balance.withdrawable), debt: usd(minus(0n, balance.receivable)), recharged: usd(balance.totalCredited) },
    ...{ spent: usd(balance.totalSpent), rewards: usd(rewards), entries: String(row.entries) },
  }
}
