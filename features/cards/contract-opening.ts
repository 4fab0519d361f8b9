import { z } from 'zod'
import { defineContract, usdText } from '#platform/shared/contract.ts'
import { identityGateErrors } from '#features/identity/errors.ts'
import { cardId, cardRow } from './contract-card.ts'
import { cardErrors } from './errors.ts'
import { CARD_TYPES, OPEN_REASONS } from './words.ts'

/** Card opening: price, status, order. */
export const cardOpeningContract = defineContract({ ...cardErrors, ...identityGateErrors })({
  cardAmount: {
    method: 'GET',
    path: '/common/cardAmount',
    access: 'public',
    summary: 'Prices of opening, a further card, changing and renewing, and the limits',
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
      /** Fee of a recharge over a channel without its own percentage; recharges from the balance are free. */
      feeRechargePercent: z.string(),
      membershipYears: z.number(),
      standardYears: z.number(),
      proYears: z.number(),
      /** Charges refused for want of balance, in a row, that close a card. */
      refusalsClose: z.number(),
      /** Percent of refused charges that closes a card, over so many days, from so many charges on. */
      refusalRate: z.object({ percent: z.number(), days: z.number(), from: z.number() }),
      /** Opening is paused until then ('' : not known); null: open. */
      pausedUntil: z.string().nullable(),
    }),
    errors: [],
  },
  opening: {
    method: 'GET',
    path: '/card/opening',
    access: 'user',
    summary: 'State of account opening, and its price for this user',
    input: z.object({ type: z.enum(CARD_TYPES).optional() }),
    reply: z.object({
      /** `OPENING_STATUS`. */
      status: z.number(),
      /** 1 first card, 2 a further one: the order type to create. */
      orderType: z.number(),
      price: usdText,
      /** Deposit added in place of a face check; '0' otherwise. */
      deposit: usdText,
      total: usdText,
      /** The order that is paid or being paid. */
      orderNo: z.string().nullable(),
      /** Reason that no connected issuer would accept this user; no card is sold then. */
      refused: z.enum(OPEN_REASONS).nullable(),
      /** Frozen figures of the order that bought `card`; the price of another card may differ. */
      paid: z.object({ orderType: z.number(), price: usdText, deposit: usdText, total: usdText }).nullable(),
      card: cardRow.nullable(),
      member: z.object({
        until: z.string().nullable(),
        /** Free API calls per day, and the sum returned for today's calls; null if there are none. */
        freeRequests: z.object({ perDay: z.number().int(), today: usdText }).nullable(),
      }),
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
    errors: [
      ...(['CARD_STEP_MISSING', 'CARD_MAINTENANCE', 'CARD_OPENING_PAUSED', 'CARD_ISSUER_AWAY', 'CARD_HOLDER_REFUSED'] as const),
      ...(['CARD_LIMIT_OF_CARDS', 'CARD_IN_DEBT', 'MEMBER_EXPIRED'] as const),
      ...(['FACE_NOT_PASSED', 'IDENTITY_MISMATCH', 'IDENTITY_US_TAXPAYER', 'IDENTITY_IN_REVIEW', 'IDENTITY_REJECTED'] as const),
    ],
  },
  reOpenCard: {
    method: 'POST',
    path: '/card/reOpenCard',
    access: 'user',
    flag: 'openCard',
    idempotency: 'optional',
    summary: 'Tries again to open a card that failed; costs nothing more',
    input: z.object({ id: cardId }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_BUSY', 'CARD_OPENING_PAUSED'],
  },
})
