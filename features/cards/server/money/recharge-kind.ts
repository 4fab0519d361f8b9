import type { Deps } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { minNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import type { OrderKind } from '#features/payments/server/door.ts'
import type { cardErrors } from '../../errors.ts'
import { selectCardById, lockCard } from '../cards/data.ts'
import { angels } from '../settings.ts'
import { computeRechargeBounds, checkRecharge, computeRechargeOrderBounds, refuseRecharge } from './limits.ts'
import { startRecharge } from './start-move.ts'

const REFUSALS = [
  'CARD_NOT_FOUND',
  'CARD_NOT_READY',
  'CARD_CLOSED',
  'CARD_MUST_CHANGE',
  'CARD_EXPIRED',
  'MEMBER_EXPIRED',
  'CARD_RECHARGE_NOT_NOW',
  'CARD_RECHARGE_LIMIT',
  'CARD_RECHARGE_TOO_SMALL',
] as const satisfies (keyof typeof cardErrors)[]

/**
 * Order type of a recharge over a channel. The payment goes to the balance; the card takes it from there in the same transaction. Any part
 * that the card can no longer take stays in the balance.
 */
export const createRechargeKind = (deps: () => Deps): OrderKind => ({
  orderType: ORDER_TYPE.RECHARGE,
  earns: 'credit',
  amounts: 'chosen',
  refusals: REFUSALS,
  bounds: computeRechargeOrderBounds,
  price: async (ctx, userId, { wish: { amount, cardId, channelType } }) => {
    if (amount === undefined) return fail('BAD_INPUT', { fields: ['amount'] })
    if (cardId === undefined) return fail('BAD_INPUT', { fields: ['cardId'] })
    const card = (await selectCardById(ctx.db, cardId, userId)) ?? fail('CARD_NOT_FOUND')
    await checkRecharge(ctx, ctx.db, { card, amount: parseUsd(amount), channelType: channelType ?? 0 })
    return amount
  },
  feePercent: async ({ settings }, userId) => {
    const { percent, users } = await settings.get(angels)
    return users.includes(userId) ? percent : undefined
  },
  fulfil: async (tx, { orderNo, userId, channelType, amount, wishes }) => {
    const found = wishes.cardId === undefined ? undefined : await selectCardById(tx, wishes.cardId, userId)
    if (!found) return 'done'
    const card = await lockCard(tx, found.id)
    try {
      await tx.savepoint(async () => {
        await refuseRecharge(deps(), tx, card)
        const { fee, monthLeft } = await computeRechargeBounds(deps(), tx, { card, channelType })
        // Several orders may have been open at once, each within the remaining monthly limit.
        if (monthLeft !== undefined && amount > monthLeft) fail('CARD_RECHARGE_LIMIT', { max: formatUsd(monthLeft) })
        // The payment settles debts first; the card gets the rest. A late payment may be less than a first recharge needs and then
        // buys no activation.
        const sent = minNano(amount, (await readBalance(tx, userId)).withdrawable)
        await startRecharge(tx, card, { amount: sent, fee: fee < sent ? fee : 0n, channelType, orderNo })
      })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      await tx.audit('card.recharge_kept', `card:${card.id}`, { orderNo, why: error.errorName })
      await tx.emit('card.recharge_kept', { cardId: card.id, userId, last4: card.last4, orderNo, why: error.errorName })
    }
    return 'done'
  },
  undo: async () => {},
})
