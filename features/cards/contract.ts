import { z } from 'zod'
import { defineContract, nothing, usdAmount, usdText } from '#platform/shared/contract.ts'
import { cardErrors } from './errors.ts'
import { CARD_STATES, CARD_TYPES, CLOSE_REASONS, FREEZERS } from './words.ts'

export const cardId = z.string().regex(/^card_[0-9a-z]{16}$/)
const BY_PASSWORD = ['PAY_PASSWORD_NOT_SET', 'PAY_PASSWORD_WRONG', 'PAY_PASSWORD_LOCKED', 'PAY_PASSWORD_BLOCKED', 'CARD_MAINTENANCE'] as const
const payPassword = z.string().regex(/^\d{6}$/)
const address = z.object({ line1: z.string(), line2: z.string(), city: z.string(), state: z.string(), postalCode: z.string(), country: z.string() })
const time = z.string()
const postalCode = z
  .string()
  .trim()
  .regex(/^\d{5}(-\d{4})?$/)

export const cardRow = z.object({
  id: cardId,
  type: z.enum(CARD_TYPES),
  state: z.enum(CARD_STATES),
  /** Null unless frozen. */
  frozenBy: z.enum(FREEZERS).nullable(),
  closeReason: z.enum(CLOSE_REASONS).nullable(),
  /** Why opening failed: a name for the text `open_reason_<name>`; '' otherwise. */
  failReason: z.string(),
  /** First six and last four digits; '' until the issuer has made it. */
  bin: z.string(),
  last4: z.string(),
  /** First six digits and dots. */
  cardNo: z.string(),
  /** As printed. */
  holder: z.string(),
  /** MM/YY; '' until the issuer has made it. */
  expiry: z.string(),
  /** Last day that it works. */
  validUntil: time.nullable(),
  createdTime: time,
  openedTime: time.nullable(),
  /** What can be spent now: booked less reserved. Negative: what it owes. */
  available: usdText,
  balance: usdText,
  reserved: usdText,
  /** What it owes the house; '0' usually. */
  owed: usdText,
  totalSpent: usdText,
  totalRecharged: usdText,
  /** Spent and reserved since the first of the month (Beijing), of how much. */
  monthSpent: usdText,
  monthlyLimit: usdText,
  monthResets: time,
  /** Charges refused for want of balance, in a row, of how many that close it. */
  refusals: z.object({ inRow: z.number(), closesAt: z.number(), rate: z.number(), rateClosesAt: z.number(), rateCounted: z.boolean() }),
  /** The first recharge is still to come: it has a minimum and an activation fee of its own. */
  needsFirstRecharge: z.boolean(),
  billingAddress: address,
  /** The card that it was changed into. */
  replacedBy: z.string().nullable(),
  /** Names for the texts `card_warning_<name>`. */
  warnings: z.array(z.object({ name: z.string(), facts: z.record(z.string(), z.string()) })),
  /** What this type pays for well, and what not: names of services. */
  goodFor: z.array(z.string()),
  notFor: z.array(z.string()),
})
export type CardRow = z.output<typeof cardRow>

const rechargeBounds = z.object({
  min: usdText,
  max: usdText,
  presets: z.array(usdText),
  /** Its own line of a first recharge; '0' afterwards. Taken out of the amount. */
  activationFee: usdText,
  /** What this month still allows on channels with a limit of their own; null: no such limit. */
  monthLeft: usdText.nullable(),
})

/** Cards: opening, money on and off, freezing, changing, what is shown of them. */
export const cardsContract = defineContract(cardErrors)({
  cardList: {
    method: 'GET',
    path: '/card/list',
    access: 'user',
    summary: 'Cards of the user, the one in use first',
    input: z.object({}),
    reply: z.object({ rowList: z.array(cardRow) }),
    errors: [],
  },
  cardInfo: {
    method: 'POST',
    path: '/card/info',
    access: 'user',
    summary: 'One card',
    input: z.object({ id: cardId }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND'],
  },
  defaultCard: {
    method: 'GET',
    path: '/card/defaultCard',
    access: 'user',
    summary: 'The card in use: the one chosen last, else the newest that works',
    input: z.object({}),
    reply: z.object({ card: cardRow.nullable() }),
    errors: [],
  },
  chooseCard: {
    method: 'POST',
    path: '/card/defaultCard',
    access: 'user',
    summary: 'Makes a card the one in use',
    input: z.object({ id: cardId }),
    reply: nothing,
    errors: ['CARD_NOT_FOUND'],
  },
  cardTotal: {
    method: 'GET',
    path: '/card/total',
    access: 'user',
    summary: 'Sums over all cards',
    input: z.object({}),
    reply: z.object({ cards: z.number(), working: z.number(), balance: usdText, reserved: usdText, totalSpent: usdText, totalRecharged: usdText }),
    errors: [],
  },
  cardAmount: {
    method: 'GET',
    path: '/common/cardAmount',
    access: 'public',
    summary: 'What opening, a further card, changing and renewing cost, and the limits',
    input: z.object({}),
    reply: z.object({
      openAccount: usdText,
      multipleCard: usdText,
      proCard: usdText,
      riskChange: usdText,
      renew: usdText,
      deposit: usdText,
      activationFee: usdText,
      firstMinimum: usdText,
      minimum: usdText,
      maximum: usdText,
      maximumIdentified: usdText,
      monthlyLimit: usdText,
      monthlyLimitIdentified: usdText,
      keep: usdText,
      feeAbroadPercent: z.string(),
      feeRefundPercent: z.string(),
      feeReversal: usdText,
      standardYears: z.number(),
      proYears: z.number(),
      /** Opening is paused until then ('' : not known); null: open. */
      pausedUntil: z.string().nullable(),
    }),
    errors: [],
  },
  cardBalance: {
    method: 'GET',
    path: '/v1/virtualCard/{id}/balance',
    access: 'user',
    summary: 'What is on a card',
    input: z.object({ id: cardId }),
    reply: z.object({ available: usdText, balance: usdText, reserved: usdText, owed: usdText, at: time }),
    errors: ['CARD_NOT_FOUND'],
  },
  opening: {
    method: 'GET',
    path: '/card/opening',
    access: 'user',
    summary: 'Where account opening stands, and what it costs for this user',
    input: z.object({ type: z.enum(CARD_TYPES).optional() }),
    reply: z.object({
      /** `OPENING_STATUS`. */
      status: z.number(),
      /** 1 first card, 2 a further one: the order type to create. */
      orderType: z.number(),
      price: usdText,
      /** Added where a deposit stands in for the face check; '0' otherwise. */
      deposit: usdText,
      total: usdText,
      /** The order that is paid or being paid. */
      orderNo: z.string().nullable(),
      card: cardRow.nullable(),
      member: z.object({ until: z.string().nullable() }),
      pausedUntil: z.string().nullable(),
    }),
    errors: [],
  },
  cardCreate: {
    method: 'POST',
    path: '/card/create',
    access: 'user',
    flag: 'openCard',
    summary: 'Orders a card: checks that every step before is done, answers the order type and price that payOrder takes',
    input: z.object({ type: z.enum(CARD_TYPES) }),
    reply: z.object({ orderType: z.number(), amount: usdText, service: z.string() }),
    errors: ['CARD_STEP_MISSING', 'CARD_MAINTENANCE', 'CARD_OPENING_PAUSED', 'CARD_LIMIT_OF_CARDS'],
  },
  cardUpdate: {
    method: 'POST',
    path: '/card/update',
    access: 'user',
    summary: 'Changes a card’s billing address',
    input: z.object({
      id: cardId,
      line1: z.string().trim().min(3).max(60),
      line2: z.string().trim().max(60).default(''),
      city: z.string().trim().min(2).max(40),
      state: z.string().trim().min(2).max(30),
      postalCode,
    }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_CLOSED'],
  },
  reOpenCard: {
    method: 'POST',
    path: '/card/reOpenCard',
    access: 'user',
    flag: 'openCard',
    idempotency: 'required',
    summary: 'Tries again to open a card that failed; costs nothing more',
    input: z.object({ id: cardId }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_BUSY', 'CARD_OPENING_PAUSED'],
  },
  frozen: {
    method: 'POST',
    path: '/card/frozen',
    access: 'user',
    idempotency: 'required',
    summary: 'Freezes: new charges are refused, authorised ones still post',
    input: z.object({ id: cardId }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED'],
  },
  unFrozen: {
    method: 'POST',
    path: '/card/unFrozen',
    access: 'user',
    idempotency: 'required',
    summary: 'Thaws what the user froze',
    input: z.object({ id: cardId }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_CLOSED', 'CARD_FROZEN_BY_RISK', 'NO_CARD', 'CARD_EXPIRED', 'MEMBER_EXPIRED'],
  },
  warning: {
    method: 'POST',
    path: '/card/warning',
    access: 'user',
    summary: 'Marks warnings of cards as read',
    input: z.object({ idList: z.array(cardId).max(20) }),
    reply: nothing,
    errors: [],
  },
  cardPrivacyInfo: {
    method: 'POST',
    path: '/card/cardPrivacyInfo',
    access: 'user',
    flag: 'revealCard',
    summary: 'A frame of the issuer with number and CVV, good once and for a minute; asks for the payment password. Neither passes this server',
    input: z.object({ id: cardId, payPassword, theme: z.enum(['light', 'dark']).default('light'), nonce: z.string().max(200).optional() }),
    reply: z.discriminatedUnion('form', [
      z.object({ form: z.literal('frame'), url: z.string(), expiresTime: time }),
      z.object({
        form: z.literal('elements'),
        script: z.string(),
        publishableKey: z.string(),
        ephemeralKey: z.string(),
        cardRef: z.string(),
        expiresTime: time,
      }),
    ]),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED', 'CARD_FROZEN_BY_RISK', 'CARD_ISSUER_AWAY', ...BY_PASSWORD],
  },
  expiredCardDelete: {
    method: 'POST',
    path: '/card/expiredCardDelete',
    access: 'user',
    idempotency: 'required',
    summary: 'Takes a closed card off the list; its bills stay',
    input: z.object({ id: cardId }),
    reply: nothing,
    errors: ['CARD_NOT_FOUND', 'CARD_HAS_OPEN_CHARGES', 'CARD_BUSY'],
  },
  closeCard: {
    method: 'POST',
    path: '/card/close',
    access: 'user',
    idempotency: 'required',
    summary: 'Closes a card for good, or reports it lost; what is left goes to the balance',
    input: z.object({ id: cardId, reason: z.enum(['user', 'lost']), payPassword }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_CLOSED', 'CARD_BUSY', ...BY_PASSWORD],
  },
  changeCard: {
    method: 'POST',
    path: '/card/changeCard',
    access: 'user',
    idempotency: 'required',
    summary: 'Changes a card for a new number; balance and limits go with it',
    input: z.object({ id: cardId }),
    reply: z.object({ changeId: z.string() }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED', 'CARD_BUSY'],
  },
  changeCardStatus: {
    method: 'GET',
    path: '/card/changeCardStatus',
    access: 'user',
    summary: 'How a change goes',
    input: z.object({ cardId }),
    reply: z.object({ status: z.enum(['idle', 'changing', 'success', 'failed']), newCard: cardRow.nullable(), amount: usdText }),
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
      'CARD_EXPIRED',
      'CARD_MUST_CHANGE',
      'MEMBER_EXPIRED',
      'CARD_BALANCE_LOW',
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
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED', 'CARD_WITHDRAW_TOO_LARGE', ...BY_PASSWORD],
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
    summary: 'What an order of type 14 (replacement after a risk change) costs',
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
  challenges: {
    method: 'GET',
    path: '/card/challenges',
    access: 'user',
    inPerson: true,
    summary: '3-D Secure codes that wait to be typed at a merchant; they are read from the issuer and kept nowhere',
    input: z.object({}),
    reply: z.object({
      rowList: z.array(z.object({ id: z.string(), cardId, last4: z.string(), merchant: z.string(), amount: usdText, code: z.string(), expiresTime: time })),
    }),
    errors: [],
  },
})
