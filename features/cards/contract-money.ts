import { z } from 'zod'
import { defineContract, usdAmount, usdText } from '#platform/shared/contract.ts'
import { BY_PASSWORD, cardId, cardRow, payPassword, time } from './contract-card.ts'
import { cardErrors } from './errors.ts'

const rechargeBounds = z.object({
  min: usdText,
  max: usdText,
  presets: z.array(usdText),
  /** Its own line of a first recharge; '0' afterwards. Taken out of the amount. */
  activationFee: usdText,
  /** What this month still allows on channels with a limit of their own; null: no such limit. */
  monthLeft: usdText.nullable(),
})

/** Money on and off a card, and what the orders of types 12 to 15 cost. */
export const cardMoneyContract = defineContract(cardErrors)({
  cardBalance: {
    method: 'GET',
    path: '/v1/virtualCard/{id}/balance',
    access: 'user',
    summary: 'What is on a card',
    input: z.object({ id: cardId }),
    reply: z.object({ available: usdText, balance: usdText, reserved: usdText, owed: usdText, at: time }),
    errors: ['CARD_NOT_FOUND'],
  },
  rechargeBounds: {
    method: 'GET',
    path: '/card/rechargeBounds',
    access: 'user',
    summary: 'Presets and limits of a recharge of this card over a channel',
    input: z.object({ id: cardId, channelType: z.coerce.number().int().min(1).max(25).optional() }),
    reply: rechargeBounds,
    errors: ['CARD_NOT_FOUND'],
  },
  cardRecharge: {
    method: 'POST',
    path: '/v1/virtualCard/cardRecharge',
    access: 'user',
    flag: 'recharge',
    idempotency: 'required',
    summary: 'Recharges a card from the balance (channel 5); over any other channel an order of type 0 does it',
    input: z.object({ cardId, amount: usdAmount, channelType: z.literal(5), payPassword, service: z.string().max(60).optional() }),
    reply: z.object({ rechargeId: z.string(), state: z.enum(['sent', 'done', 'failed']), amount: usdText, activationFee: usdText, card: cardRow }),
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
      ...BY_PASSWORD,
    ],
  },
  cardWithdrawal: {
    method: 'POST',
    path: '/v1/virtualCard/cardWithdrawal',
    access: 'user',
    flag: 'withdrawal',
    idempotency: 'required',
    summary: 'Takes money off a card into the balance; one dollar stays',
    input: z.object({ cardId, amount: usdAmount, payPassword }),
    reply: z.object({ withdrawalId: z.string(), state: z.enum(['sent', 'done', 'failed']), amount: usdText, card: cardRow }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED', 'CARD_IN_DEBT', 'DEBT_FIRST', 'CARD_WITHDRAW_TOO_LARGE', 'MONEY_OUT_FROZEN', ...BY_PASSWORD],
  },
  cardUnfreeze: {
    method: 'POST',
    path: '/v1/virtualCard/cardUnfreeze',
    access: 'user',
    summary: 'What an order of type 12 (thawing what risk rules froze) costs for this card',
    input: z.object({ cardId }),
    reply: z.object({ orderType: z.number(), amount: usdText }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY'],
  },
  cardOutstanding: {
    method: 'POST',
    path: '/v1/virtualCard/cardOutstanding',
    access: 'user',
    summary: 'What an order of type 13 (what a card owes) comes to',
    input: z.object({ cardId }),
    reply: z.object({ orderType: z.number(), amount: usdText }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOTHING_OWED'],
  },
  cardChange: {
    method: 'POST',
    path: '/v1/virtualCard/cardChange',
    access: 'user',
    summary: 'What an order of type 14 costs: a replacement for a card that a risk rule or the issuer stopped, for the time it has left',
    input: z.object({ cardId }),
    reply: z.object({ orderType: z.number(), amount: usdText }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY'],
  },
  cardRenewal: {
    method: 'POST',
    path: '/v1/virtualCard/cardRenewal',
    access: 'user',
    summary: 'What an order of type 15 (a new card for one that expires; 7: the membership) costs',
    input: z.object({ cardId }),
    reply: z.object({ orderType: z.number(), amount: usdText, validUntil: time }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY'],
  },
})
