import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { maxNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { lockActive, requirePayouts, requirePayPassword } from '#features/account/server/door.ts'
import { readBalance, readCardBalances, settleDebts } from '#features/wallet/server/door.ts'
import { BALANCE_CHANNEL_TYPE, isPartClosed, ORDER_TYPE, placeOrder } from '#features/payments/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import type { RechargeResult } from '../../contract-money.ts'
import { lockOwnCard, requireOwnCard } from '../cards/data.ts'
import { buildCardRow } from '../views/card-view.ts'
import { keepOnCard } from '../settings.ts'
import { requireNoCardDebt } from '../money/debts.ts'
import { computeRechargeBounds, checkRecharge } from '../money/limits.ts'
import { startUnload, startRecharge } from '../money/start-move.ts'

type C = typeof cardsContract

async function beforePaying(ctx: Ctx, what: 'recharge' | 'withdraw', payPassword: string): Promise<void> {
  if (await isPartClosed(ctx, what)) fail('CARD_MAINTENANCE')
  await requirePayPassword(ctx, ctx.userId, payPassword)
}

export const rechargeBounds: Handler<C['rechargeBounds']> = async (ctx, { id, channelType }) => {
  const { min, max, presets, fee, monthLeft } = await computeRechargeBounds(ctx, ctx.db, {
    card: await requireOwnCard(ctx, id),
    channelType: channelType ?? BALANCE_CHANNEL_TYPE,
  })
  return {
    min: formatUsd(min),
    max: formatUsd(max),
    presets: [...presets],
    activationFee: formatUsd(fee),
    monthLeft: monthLeft === undefined ? null : formatUsd(monthLeft),
  }
}

/** Recharges from the balance: purchased credit only, granted credit never moves to a card. */
async function rechargeFromBalance(ctx: TxCtx, { cardId, amount: text }: InputOf<C['cardRecharge']>): Promise<RechargeResult> {
  const tx = ctx.tx
  if (!(await lockActive(tx, ctx.userId))) fail('SESSION_EXPIRED')
  const card = await lockOwnCard(tx, cardId, ctx.userId)
  const amount = parseUsd(text)
  const { fee } = await checkRecharge(ctx, tx, { card, amount, channelType: BALANCE_CHANNEL_TYPE })
  try {
    const move = await tx.savepoint(() => startRecharge(tx, card, { amount, fee, channelType: BALANCE_CHANNEL_TYPE }))
    await tx.audit('card.recharge', `card:${cardId}`, { moveId: move.id, amount: text, fee: formatUsd(fee) })
    return { rechargeId: move.id, state: 'sent' as const, amount: formatUsd(amount), activationFee: formatUsd(fee), card: await buildCardRow(ctx, tx, card) }
  } catch (error) {
    if (!(error instanceof Failure) || error.errorName !== 'INSUFFICIENT_FUNDS') throw error
    const { withdrawable } = await readBalance(tx, ctx.userId)
    return fail('CARD_BALANCE_LOW', { missing: formatUsd(maxNano(subtractNano(amount, withdrawable), 0n)) })
  }
}

const recharge: Handler<C['cardRecharge']> = async (ctx, input) => {
  const { payPassword: _, ...wish } = input
  return wish.channelType === BALANCE_CHANNEL_TYPE ? rechargeFromBalance(ctx, input) : placeOrder(ctx, { ...wish, orderType: ORDER_TYPE.RECHARGE })
}

/** An order requires no payment password: it is paid at its channel. */
export const cardRecharge = Object.assign(recharge, {
  before: async (ctx: Ctx, { channelType, payPassword }: InputOf<C['cardRecharge']>) => {
    if (channelType === BALANCE_CHANNEL_TYPE) await beforePaying(ctx, 'recharge', payPassword!)
  },
})

/** Withdraws into the balance; a minimum stays on the card unless it is closed. */
async function withdraw(ctx: TxCtx, { cardId, amount: text }: InputOf<C['cardWithdrawal']>) {
  const tx = ctx.tx
  await requirePayouts(tx, ctx.userId)
  const card = await lockOwnCard(tx, cardId, ctx.userId)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.state !== 'active' && !(card.state === 'frozen' && card.frozenBy === 'user')) fail('CARD_NOT_READY')
  await settleDebts(tx, ctx.userId)
  await requireNoCardDebt(tx, ctx.userId)
  const amount = parseUsd(text)
  const { available } = (await readCardBalances(tx, [cardId])).get(cardId)!
  const most = maxNano(subtractNano(available, parseUsd(await ctx.settings.get(keepOnCard))), 0n)
  if (amount > most) fail('CARD_WITHDRAW_TOO_LARGE', { max: formatUsd(most) })
  const move = (await startUnload(tx, card, { kind: 'withdrawal', amount })) ?? fail('CARD_WITHDRAW_TOO_LARGE', { max: formatUsd(most) })
  await tx.audit('card.withdrawal', `card:${cardId}`, { moveId: move.id, amount: text })
  return { withdrawalId: move.id, state: 'sent' as const, amount: formatUsd(amount), card: await buildCardRow(ctx, tx, card) }
}

export const cardWithdrawal: Handler<C['cardWithdrawal']> = Object.assign(withdraw, {
  before: (ctx: Ctx, { payPassword }: InputOf<C['cardWithdrawal']>) => beforePaying(ctx, 'withdraw', payPassword),
})
