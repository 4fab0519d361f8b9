import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { computeCoolOffEnd } from '#features/payments/server/door.ts'
import type { moneyContract, WithdrawalListRow } from '../../contract-money.console.ts'
import { findWithdrawal, listWithdrawals, listPartLines, readPayoutRisk, listWithdrawalSteps } from './data-withdrawals.ts'
import type { WithdrawalLine } from './data-withdrawals.ts'
import { parseNumberCursor, buildKeysetPage } from './keyset.ts'
import { listPayoutRiskFacts } from './risk-facts.ts'

type Contract = typeof moneyContract

function lineOf(row: WithdrawalLine): WithdrawalListRow {
  return {
    ...{ withdrawalNo: row.withdrawal_no, userId: row.user_id, customer: row.customer, state: row.state, source: row.source },
    ...{ amount: formatUsd(row.amount_nano), payAmount: formatMinor(row.pay_minor), risk: row.risk, waiting: row.waiting },
    ...{ createdAt: row.created_at.toISOString(), finishedAt: row.finished_at?.toISOString() ?? null },
    hold:
      row.held_at && row.held_by ? { by: row.held_by, at: row.held_at.toISOString(), until: row.held_until?.toISOString() ?? null, why: row.held_why } : null,
  }
}

export async function readWithdrawals(
  ctx: Ctx,
  { q, state, held, userId, from, to, after, limit }: InputOf<Contract['withdrawals']>,
): Promise<ReplyOf<Contract['withdrawals']>> {
  const rows = await listWithdrawals(ctx.db, {
    ...{ q: q || undefined, state, held: held === 'true', userId, from, to, after: parseNumberCursor(after), limit: limit + 1 },
  })
  return buildKeysetPage(rows, limit, lineOf, (row) => String(row.id))
}

export async function readWithdrawal(ctx: Ctx, { withdrawalNo }: InputOf<Contract['withdrawal']>): Promise<ReplyOf<Contract['withdrawal']>> {
  const { db } = ctx
  const row = (await findWithdrawal(db, withdrawalNo)) ?? fail('NOT_FOUND')
  const [parts, steps, risk] = await Promise.all([listPartLines(db, row.id), listWithdrawalSteps(db, row.id), readPayoutRisk(db, row.user_id)])
  const coolUntil = await computeCoolOffEnd(ctx, { changed_at: risk.payee_changed_at })
  const isCool = coolUntil !== undefined && coolUntil > ctx.clock.now()
  return {
    ...lineOf(row),
    ...{ rate: row.rate, payee: [row.shown.name, row.shown.alipay].filter(Boolean).join(' '), reason: row.reason },
    ...{ payoutVendor: row.payout_vendor, payoutTxn: row.payout_txn },
    parts: parts.map((one) => ({
      orderNo: one.order_no,
      channelType: one.channel_type,
      amount: formatUsd(one.amount_nano),
      payAmount: formatMinor(one.minor),
      state: one.state,
    })),
    transfer: row.sent_nano === null || row.sent_minor === null ? null : { amount: formatUsd(row.sent_nano), payAmount: formatMinor(row.sent_minor) },
    steps: steps.map(({ state, at, actor, reason }) => ({ state, at: at.toISOString(), actor, reason })),
    facts: listPayoutRiskFacts(risk, ctx.clock.now()),
    coolUntil: isCool ? coolUntil.toISOString() : null,
  }
}
