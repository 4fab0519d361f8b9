import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { pick } from '#platform/shared/pick.ts'
import { queryChannels } from '../trades/query-channels.ts'
import type { ChannelAnswer } from '../trades/query-channels.ts'
import { selectDiscrepancyById, closeDiscrepancy, insertStray } from './data.ts'
import type { DiscrepancyRow } from './data.ts'
import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { bookSuspense } from '../bookings.ts'
import { applyAnswers, readMoneyRules } from '../paying/check-order.ts'
import { bookStatementCosts } from './book-statement-costs.ts'
import { selectOrderOfTrade } from '../trades/data-attempts.ts'
import { selectOrderOfPayment } from '../trades/data-receipts.ts'

/**
 * Decides a statement fault. An approved payment unknown to us is booked: to its order by the channel's own answer, or into suspense
 * when it fits none. Everything else is recorded as seen. Errors: ORDER_NOT_FOUND (no open fault), PAY_PROCESSING (the channel does
 * not confirm the payment, so nothing is decided).
 */
export async function decideDiscrepancy(
  deps: Deps,
  operator: Actor,
  {
    id,
    verdict,
    reason,
    answers,
  }: { readonly id: bigint; readonly verdict: 'approved' | 'dismissed'; readonly reason: string; readonly answers: readonly ChannelAnswer[] },
): Promise<string> {
  const rules = await readMoneyRules(deps)
  const open = (await selectDiscrepancyById(deps.db, id)) ?? fail('ORDER_NOT_FOUND')
  const orderId = await selectOrderOfTrade(deps.db, open.channelType, open.tradeNo)
  return transact(deps.db, operator, async (tx) => {
    const fault = (await closeDiscrepancy(tx, id, { state: verdict, reason })) ?? fail('ORDER_NOT_FOUND')
    await tx.audit(`fault.${verdict}`, `fault:${id}`, { ...pick(fault, 'class', 'kind', 'subject', 'day'), reason })
    if (verdict === 'approved') await bookTheirFee(tx, fault)
    if (verdict === 'dismissed' || fault.class !== 'extra' || fault.kind !== 'payment' || !fault.theirs) return verdict
    // Trades that a channel definitely refused are no longer queried, so only this code books a payment under them.
    if (orderId === undefined || !answers.some(({ trade }) => isSameTrade(trade, fault))) return bookStray(tx, fault)
    const order = await applyAnswers(tx, orderId, { answers, rules })
    if (!(await selectOrderOfPayment(tx, fault.channelType, fault.theirs['channelTxn'] ?? ''))) fail('PAY_PROCESSING')
    return `${verdict}: order ${order.orderNo} is ${order.state}`
  })
}

/** Channel answers about the order of a fault; queried before any lock. */
export async function queryDiscrepancyOrder(deps: Deps, id: bigint, verdict: 'approved' | 'dismissed'): Promise<ChannelAnswer[]> {
  const open = (await selectDiscrepancyById(deps.db, id)) ?? fail('ORDER_NOT_FOUND')
  const orderId = await selectOrderOfTrade(deps.db, open.channelType, open.tradeNo)
  return orderId === undefined || verdict === 'dismissed' ? [] : queryChannels(deps, orderId)
}

const isSameTrade = (trade: ChannelAnswer['trade'], fault: DiscrepancyRow) => trade.channelType === fault.channelType && trade.tradeNo === fault.tradeNo

async function bookStray(tx: Tx, fault: DiscrepancyRow): Promise<string> {
  const { channelTxn = '', minor = '0', currency = '', at = '' } = fault.theirs ?? {}
  const ledgerRef = `stray:${fault.channelType}:${channelTxn}`
  await bookSuspense(tx, ledgerRef, { minor: BigInt(minor), currency })
  await insertStray(tx, {
    channelType: fault.channelType,
    channelTxn,
    tradeNo: fault.tradeNo,
    minor: BigInt(minor),
    currency,
    at,
    faultId: fault.id,
    ledgerRef,
  })
  return 'approved: in suspense'
}

/** Books the channel's fee of an approved line. A line listed twice costs once. */
async function bookTheirFee(tx: Tx, { channelType, day, kind, subject, theirs }: DiscrepancyRow): Promise<void> {
  const { channelTxn = '', feeMinor = '0', feeCurrency = '' } = theirs ?? {}
  const refundNo = kind === 'refund' ? subject.slice(channelTxn.length + 1) : ''
  await bookStatementCosts(tx, channelType, { day, costs: [{ kind, channelTxn, refundNo, feeMinor: BigInt(feeMinor), feeCurrency }] })
}

export const discrepancyCommands = [
  defineCommand({
    name: 'fault.decide',
    summary: 'Decides a difference that the nightly comparison with a channel’s statement found',
    permission: 'payments.decide',
    money: 'own',
    input: z.object({ faultId: z.string().regex(/^\d{1,18}$/), verdict: z.enum(['approved', 'dismissed']) }),
    subject: async ({ db }, { faultId }) => `fault:${((await selectDiscrepancyById(db, BigInt(faultId))) ?? fail('ORDER_NOT_FOUND')).id}`,
    gather: (deps, { faultId, verdict }) => queryDiscrepancyOrder(deps, BigInt(faultId), verdict),
    look: async ({ tx }, { faultId }) => {
      const fault = await selectDiscrepancyById(tx, BigInt(faultId))
      return { open: fault?.state === 'open', ...(fault ? { ...pick(fault, 'class', 'kind', 'day', 'subject') } : {}) }
    },
    run: async ({ deps, by, reason, gathered }, { faultId, verdict }) => ({
      outcome: await decideDiscrepancy(deps, by, { id: BigInt(faultId), verdict, reason, answers: gathered as ChannelAnswer[] }),
    }),
  }),
] as const
