import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { subtractNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import { findContact, selectFreezes, loadMaskedContacts, loadMaskedIdentities } from '#features/account/server/door.ts'
import { readBalance, readRewardBalance } from '#features/wallet/server/door.ts'
import type { customersContract, CustomerListRow } from '../../contract-customers.console.ts'
import { countCustomerRows, findCustomer, listCustomers, listOpenHolds, listOpenLots, listWaitingCommands } from './data-customers.ts'
import type { CustomerLine, CustomerRow, LotRow } from './data-customers.ts'
import { readPayoutRisk } from './data-withdrawals.ts'
import { buildKeysetPage } from './keyset.ts'
import { listPayoutRiskFacts } from './risk-facts.ts'

type Contract = typeof customersContract
const MAX_LOTS = 8

const lineOf = (row: CustomerLine, contact: string): CustomerListRow => ({
  ...{
    userId: row.id,
    name: row.name,
    status: row.status,
    contact,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  },
  ...{ available: formatUsd(row.available), recharged: formatUsd(row.recharged), spent: formatUsd(row.spent) },
})

export async function readCustomers(ctx: Ctx, { q, status, after, limit }: InputOf<Contract['customers']>): Promise<ReplyOf<Contract['customers']>> {
  const rows = await listCustomers(ctx.db, { q: q || undefined, begins: ctx.operator!.permissions.has('contacts.reveal'), status, after, limit: limit + 1 })
  const contacts = await loadMaskedContacts(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return buildKeysetPage(rows, limit, { view: (row) => lineOf(row, contacts.get(row.id) ?? ''), place: (row) => row.id })
}

export async function readCustomer(ctx: Ctx, { userId }: InputOf<Contract['customer']>): Promise<ReplyOf<Contract['customer']>> {
  const { db } = ctx
  const row = (await findCustomer(db, userId)) ?? fail('NOT_FOUND')
  const [ways, contact, lots, holds, risk, waiting] = await Promise.all([
    ...([loadMaskedIdentities(db, userId), findContact(db, userId), listOpenLots(db, userId, 200)] as const),
    ...([listOpenHolds(db, userId), readPayoutRisk(db, userId), listWaitingCommands(db, userId)] as const),
  ])
  return {
    ...buildIdentity(row),
    freezes: await buildFreezesView(ctx, row),
    ...{ email: ways.email, mobile: ways.mobile },
    balance: await buildBalanceView(ctx, row),
    lots: lots.slice(0, MAX_LOTS).map(buildLotView),
    lotsMore: { count: Math.max(0, lots.length - MAX_LOTS), left: formatUsd(sumNano(lots.slice(MAX_LOTS).map(({ remaining }) => remaining))) },
    holds: holds.map(({ id, purpose, amount, createdAt: at }) => ({ id, purpose, amount: formatUsd(amount), at: at.toISOString() })),
    counts: await countCustomerRows(db, userId, contact?.email ?? null),
    facts: listPayoutRiskFacts(risk, ctx.clock.now()),
    waiting: waiting.map(({ no, name, askedBy, askedAt: at }) => ({ no, name, askedBy, at: at.toISOString() })),
  }
}

const buildIdentity = (row: CustomerRow) => ({
  ...{ userId: row.id, name: row.name, status: row.status, createdAt: row.createdAt.toISOString(), lastSeenAt: row.lastSeenAt?.toISOString() ?? null },
  ...{ lang: row.language, google: row.google, identity: row.identity ?? 'none', hasPayPassword: row.hasPayPassword },
})

async function buildFreezesView({ db }: Ctx, row: CustomerRow) {
  const whole =
    row.frozenAt && row.frozenReason && row.frozenBy
      ? [{ scope: 'all' as const, at: row.frozenAt.toISOString(), reason: row.frozenReason, by: row.frozenBy }]
      : []
  const parts = await selectFreezes(db, row.id)
  return [...whole, ...parts.map(({ scope, frozenAt: at, reason, frozenBy: by }) => ({ scope, at: at.toISOString(), reason, by }))]
}

const buildLotView = (lot: LotRow) => ({
  ...{ id: String(lot.id), kind: lot.kind, orderNo: lot.orderRef, amount: formatUsd(lot.amount), left: formatUsd(lot.remaining) },
  ...{ at: lot.createdAt.toISOString(), expiresAt: lot.expiresAt?.toISOString() ?? null },
})

async function buildBalanceView({ db }: Ctx, row: CustomerRow) {
  const [balance, rewards] = await Promise.all([readBalance(db, row.id), readRewardBalance(db, row.id)])
  return {
    ...{
      posted: formatUsd(balance.posted),
      held: formatUsd(balance.held),
      available: formatUsd(balance.available),
      granted: formatUsd(balance.grantedUnspent),
    },
    ...{ withdrawable: formatUsd(balance.withdrawable), debt: formatUsd(subtractNano(0n, balance.receivable)), recharged: formatUsd(balance.totalCredited) },
    ...{ spent: formatUsd(balance.totalSpent), rewards: formatUsd(rewards), entries: String(row.entries) },
  }
}
