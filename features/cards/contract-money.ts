import { z } from 'zod'
import { defineContract, usdAmount, usdText } from '#platform/shared/contract.ts'
import { BALANCE_CHANNEL_TYPE, channelType, orderSchema, ORDER_REFUSALS, paymentChoice, itemInputs } from '#features/payments/contract-shapes.ts'
import { paymentErrors } from '#features/payments/errors.ts'
import { PAY_PASSWORD_ERRORS, cardId, cardRow, cardPayPassword, timeText } from './contract-card.ts'
import { cardErrors } from './errors.ts'

const rechargeBounds = z.object({
  min: usdText,
  max: usdText,
  presets: z.array(usdText),
  /** Its own line of a first recharge; '0' afterwards. Taken out of the amount. */
  activationFee: usdText,
  /** Remaining monthly limit of the channel; null: no limit. */
  monthLeft: usdText.nullable(),
})

const rechargeResult = z.object({ rechargeId: z.string(), state: z.enum(['sent', 'done', 'failed']), amount: usdText, activationFee: usdText, card: cardRow })
export type RechargeResult = z.output<typeof rechargeResult>

/** Replies with the order if a channel is given, for `payParam` or `balancePay`; else with the price only. */
const quoteOrOrder = {
  method: 'POST',
  access: 'user',
  flag: 'recharge',
  idempotency: 'required',
  actsWith: 'channelType',
  input: z.object({ cardId, amount: usdAmount.optional(), ...paymentChoice, service: itemInputs.service }),
  reply: z.union([orderSchema, z.object({ orderType: z.number(), amount: usdText })]),
} as const

/** Money on and off a card, and what the orders of types 12 to 15 cost. */
export const cardMoneyContract = defineContract({ ...cardErrors, ...paymentErrors })({
  cardBalance: {
    method: 'GET',
    path: '/v1/virtualCard/{id}/balance',
    access: 'user',
    summary: 'Money on a card',
    input: z.object({ id: cardId }),
    reply: z.object({ available: usdText, balance: usdText, reserved: usdText, owed: usdText, at: timeText }),
    errors: ['CARD_NOT_FOUND'],
  },
  rechargeBounds: {
    method: 'GET',
    path: '/card/rechargeBounds',
    access: 'user',
    summary: 'Presets and limits of a recharge of this card over a channel',
    input: z.object({ id: cardId, channelType: channelType.optional() }),
    reply: rechargeBounds,
    errors: ['CARD_NOT_FOUND'],
  },
  cardRecharge: {
    method: 'POST',
    path: '/v1/virtualCard/cardRecharge',
    access: 'user',
    flag: 'recharge',
    idempotency: 'required',
    summary: 'Recharges a card: from the balance (channel 5) at once, over any other channel by an order of type 0, which it answers with',
    input: z
      .object({ cardId, amount: usdAmount, ...paymentChoice, channelType, payPassword: cardPayPassword.optional(), service: itemInputs.service })
      .refine((sent) => sent.channelType !== BALANCE_CHANNEL_TYPE || sent.payPassword !== undefined, { path: ['payPassword'] }),
    reply: z.union([orderSchema, rechargeResult]),
    errors: [
      'CARD_NOT_FOUND',
      'CARD_NOT_READY',
      'CARD_CLOSED',
      'CARD_RECHARGE_NOT_NOW',
      'CARD_RECHARGE_REFUSED',
      'CARD_RECHARGE_LIMIT',
      'CARD_RECHARGE_TOO_SMALL',
      'CARD_EXPIRED',
      'CARD_MUST_CHANGE',
      'MEMBER_EXPIRED',
      'CARD_BALANCE_LOW',
      'DEBT_FIRST',
      ...ORDER_REFUSALS,
      ...PAY_PASSWORD_ERRORS,
    ],
  },
  cardWithdrawal: {
    method: 'POST',
    path: '/v1/virtualCard/cardWithdrawal',
    access: 'user',
    flag: 'withdrawal',
    idempotency: 'required',
    summary: 'Takes money off a card into the balance; one dollar stays',
    input: z.object({ cardId, amount: usdAmount, payPassword: cardPayPassword }),
    reply: z.object({ withdrawalId: z.string(), state: z.enum(['sent', 'done', 'failed']), amount: usdText, card: cardRow }),
    errors: [
      'CARD_NOT_FOUND',
      'CARD_NOT_READY',
      'CARD_CLOSED',
      'CARD_IN_DEBT',
      'DEBT_FIRST',
      'CARD_WITHDRAW_TOO_LARGE',
      'MONEY_OUT_FROZEN',
      ...PAY_PASSWORD_ERRORS,
    ],
  },
  cardUnfreeze: {
    ...quoteOrOrder,
    path: '/v1/virtualCard/cardUnfreeze',
    summary: 'Thaws a card that risk rules froze: makes an order of type 12, or returns its price',
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_IN_DEBT', ...ORDER_REFUSALS],
  },
  cardOutstanding: {
    ...quoteOrOrder,
    path: '/v1/virtualCard/cardOutstanding',
    summary: 'Pays the debt of a card: makes an order of type 13, or returns its amount',
    errors: ['CARD_NOT_FOUND', 'CARD_NOTHING_OWED', ...ORDER_REFUSALS],
  },
  cardChange: {
    ...quoteOrOrder,
    path: '/v1/virtualCard/cardChange',
    summary: 'Replaces a card that a risk rule or the issuer stopped, for its remaining time: makes an order of type 14, or returns its price',
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_IN_DEBT', ...ORDER_REFUSALS],
  },
  cardRenewal: {
    method: 'POST',
    path: '/v1/virtualCard/cardRenewal',
    access: 'user',
    summary: 'Price of an order of type 15 (a new card for one that expires; 7: the membership)',
    input: z.object({ cardId }),
    reply: z.object({ orderType: z.number(), amount: usdText, validUntil: timeText }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY'],
  },
})
