import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import { computeCoolOffEnd } from '#features/payments/server/door.ts'
import type { moneyContract, WithdrawalListRow } from '../../contract-money.console.ts'
import { findWithdrawal, listWithdrawals, listPartLines, readPayoutRisk, listWithdrawalSteps } from './data-withdrawals.ts'
import type { WithdrawalLine } from './data-withdrawals.ts'
import { parseNumberCursor, buildKeysetPage } from './keyset.ts'
import { listPayoutRiskFacts } from './risk-facts.ts'

type Contract = typeof moneyContract

function lineOf(row: WithdrawalLine): WithdrawalListRow {
  return {
    ...{ ...pick(row, 'withdrawalNo', 'userId', 'customer', 'state', 'source') },
    ...{ amount: formatUsd(row.amountNano), payAmount: formatMinor(row.payMinor), risk: row.risk, waiting: row.waiting },
    ...{ createdAt: row.createdAt.toISOString(), finishedAt: row.finishedAt?.toISOString() ?? null },
    hold: row.heldAt && row.heldBy ? { by: row.heldBy, at: row.heldAt.toISOString(), until: row.heldUntil?.toISOString() ?? null, why: row.heldWhy } : null,
  }
}

export async function readWithdrawals(
  ctx: Ctx,
  { q, state, held, userId, from, to, after, limit }: InputOf<Contract['withdrawals']>,
): Promise<ReplyOf<Contract['withdrawals']>> {
  const rows = await listWithdrawals(ctx.db, {
    ...{ q: q || undefined, state, held: held === 'true', userId, from, to, after: parseNumberCursor(after), limit: limit + 1 },
  })
  return buildKeysetPage(rows, limit, { view: lineOf, place: (row) => String(row.id) })
}

export async function readWithdrawal(ctx: Ctx, { withdrawalNo }: InputOf<Contract['withdrawal']>): Promise<ReplyOf<Contract['withdrawal']>> {
  const { db } = ctx
  const row = (await findWithdrawal(db, withdrawalNo)) ?? fail('NOT_FOUND')
  const [parts, steps, risk] = await Promise.all([listPartLines(db, row.id), listWithdrawalSteps(db, row.id), readPayoutRisk(db, row.userId)])
  const coolUntil = await computeCoolOffEnd(ctx, { changedAt: risk.payeeChangedAt })
  const isCool = coolUntil !== undefined && coolUntil > ctx.clock.now()
  return {
    ...lineOf(row),
    ...{ rate: row.rate, payee: [row.shown.name, row.shown.alipay].filter(Boolean).join(' '), reason: row.reason },
    ...{ payoutVendor: row.payoutVendor, payoutTxn: row.payoutTxn },
    parts: parts.map((one) => ({
      orderNo: one.orderNo,
      channelType: one.channelType,
      amount: formatUsd(one.amountNano),
      payAmount: formatMinor(one.minor),
      state: one.state,
    })),
    transfer: row.sentNano === null || row.sentMinor === null ? null : { amount: formatUsd(row.sentNano), payAmount: formatMinor(row.sentMinor) },
    steps: steps.map(({ state, at, actor, reason }) => ({ state, at: at.toISOString(), actor, reason })),
    facts: listPayoutRiskFacts(risk, ctx.clock.now()),
    coolUntil: isCool ? coolUntil.toISOString() : null,
  }
}
