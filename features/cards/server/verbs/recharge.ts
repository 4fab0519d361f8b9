import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { atLeast, minus, parseUsd, usd } from '#platform/shared/money.ts'
import { lockActive, requirePayouts, requirePayPassword } from '#features/account/server/door.ts'
import { balanceOf, cardBalancesOf, settleDebts } from '#features/wallet/server/door.ts'
import { BALANCE_CHANNEL, isClosedNow, ORDER_TYPE, placeOrder } from '#features/payments/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import type { Recharged } from '../../contract-money.ts'
import { lockOwn, ownCard } from '../cards/data.ts'
import { cardView } from '../views/card-view.ts'
import { keepOnCard } from '../settings.ts'
import { refuseInDebt } from '../money/debts.ts'
import { boundsOf, checkRecharge } from '../money/limits.ts'
import { startOff, startRecharge } from '../money/start-move.ts'

type C = typeof cardsContract

async function beforePaying(ctx: Ctx, what: 'recharge' | 'withdraw', payPassword: string): Promise<void> {
  if (await isClosedNow(ctx, what)) fail('CARD_MAINTENANCE')
  await requirePayPassword(ctx, ctx.userId, payPassword)
}

export const rechargeBounds: Handler<C['rechargeBounds']> = async (ctx, { id, channelType }) => {
  const { min, max, presets, fee, monthLeft } = await boundsOf(ctx, ctx.db, await ownCard(ctx, id), channelType ?? BALANCE_CHANNEL)
  return { min: usd(min), max: usd(max), presets: [...presets], activationFee: usd(fee), monthLeft: monthLeft === undefined ? null : usd(monthLeft) }
}

/** From the balance: purchased credit alone, a gift never leaves by card. */
async function fromBalance(ctx: TxCtx, { cardId, amount: text }: InputOf<C['cardRecharge']>): Promise<Recharged> {
  const tx = ctx.tx
  if (!(await lockActive(tx, ctx.userId))) fail('SESSION_EXPIRED')
  const card = await lockOwn(tx, cardId, ctx.userId)
  const amount = parseUsd(text)
  const { fee } = await checkRecharge(ctx, tx, card, amount, BALANCE_CHANNEL)
  try {
    const move = await tx.savepoint(() => startRecharge(tx, card, { amount, fee, channelType: BALANCE_CHANNEL }))
    await tx.audit('card.recharge', `card:${cardId}`, { moveId: move.id, amount: text, fee: usd(fee) })
    return { rechargeId: move.id, state: 'sent' as const, amount: usd(amount), activationFee: usd(fee), card: await cardView(ctx, tx, card) }
  } catch (error) {
    if (!(error instanceof Failure) || error.errorName !== 'INSUFFICIENT_FUNDS') throw error
    const { withdrawable } = await balanceOf(tx, ctx.userId)
    return fail('CARD_BALANCE_LOW', { missing: usd(atLeast(minus(amount, withdrawable), 0n)) })
  }
}

const recharge: Handler<C['cardRecharge']> = async (ctx, input) => {
  const { payPassword: _, ...wish } = input
  return wish.channelType === BALANCE_CHANNEL ? fromBalance(ctx, input) : placeOrder(ctx, { ...wish, orderType: ORDER_TYPE.RECHARGE })
}

/** An order asks for no payment password: it is paid at its channel. */
export const cardRecharge = Object.assign(recharge, {
  before: async (ctx: Ctx, { channelType, payPassword }: InputOf<C['cardRecharge']>) => {
    if (channelType === BALANCE_CHANNEL) await beforePaying(ctx, 'recharge', payPassword!)
  },
})

/** Into the balance; a little stays, unless the card ends. */
async function withdraw(ctx: TxCtx, { cardId, amount: text }: InputOf<C['cardWithdrawal']>) {
  const tx = ctx.tx
  await requirePayouts(tx, ctx.userId)
  const card = await lockOwn(tx, cardId, ctx.userId)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.state !== 'active' && !(card.state === 'frozen' && card.frozen_by === 'user')) fail('CARD_NOT_READY')
  await settleDebts(tx, ctx.userId)
  await refuseInDebt(tx, ctx.userId)
  const amount = parseUsd(text)
  const { available } = (await cardBalancesOf(tx, [cardId])).get(cardId)!
  const most = atLeast(minus(available, parseUsd(await ctx.settings.get(keepOnCard))), 0n)
  if (amount > most) fail('CARD_WITHDRAW_TOO_LARGE', { max: usd(most) })
  const move = (await startOff(tx, card, 'withdrawal', amount)) ?? fail('CARD_WITHDRAW_TOO_LARGE', { max: usd(most) })
  await tx.audit('card.withdrawal', `card:${cardId}`, { moveId: move.id, amount: text })
  return { withdrawalId: move.id, state: 'sent' as const, amount: usd(amount), card: await cardView(ctx, tx, card) }
}

export const cardWithdrawal: Handler<C['cardWithdrawal']> = Object.assign(withdraw, {
  before: (ctx: Ctx, { payPassword }: InputOf<C['cardWithdrawal']>) => beforePaying(ctx, 'withdraw', payPassword),
})
