import { z } from 'zod'
import { defineContract, emptyReply, usdText } from '#platform/shared/contract.ts'
import { PAY_PASSWORD_ERRORS, cardId, cardRow, cardPayPassword, timeText } from './contract-card.ts'
import { cardMoneyContract } from './contract-money.ts'
import { cardOpeningContract } from './contract-opening.ts'
import { cardErrors } from './errors.ts'

export { billingAddress, cardId } from './contract-card.ts'
export type { CardRow } from './contract-card.ts'

const postalCode = z
  .string()
  .trim()
  .regex(/^(\d{6}|\d{5}(-\d{4})?)$/)

/** Issuers and checkouts take Latin letters, digits and the usual signs. */
const latin = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[\x20-\x7e]*$/)

/** Calls on a single card: freeze, change, close, and its details. */
const ownContract = defineContract(cardErrors)({
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
    reply: emptyReply,
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
  cardUpdate: {
    method: 'POST',
    path: '/card/update',
    access: 'user',
    summary: 'Changes a card’s billing address',
    input: z.object({
      id: cardId,
      line1: latin(200).min(3),
      line2: latin(200).default(''),
      city: latin(100).min(2),
      state: latin(100).min(2),
      postalCode,
    }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_CLOSED', 'CARD_ADDRESS_FIXED', 'CARD_ISSUER_AWAY'],
  },
  frozen: {
    method: 'POST',
    path: '/card/frozen',
    access: 'user',
    idempotency: 'optional',
    summary: 'Freezes: new charges are refused, authorised ones still post',
    input: z.object({ id: cardId }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED'],
  },
  unFrozen: {
    method: 'POST',
    path: '/card/unFrozen',
    access: 'user',
    idempotency: 'optional',
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
    reply: emptyReply,
    errors: [],
  },
  cardPrivacyInfo: {
    method: 'POST',
    path: '/card/cardPrivacyInfo',
    access: 'user',
    flag: 'revealCard',
    summary: 'A frame of the issuer with number and CVV, good once and for a minute; asks for the payment password. Neither passes this server',
    input: z.object({ id: cardId, payPassword: cardPayPassword, theme: z.enum(['light', 'dark']).default('light'), nonce: z.string().max(200).optional() }),
    reply: z.discriminatedUnion('form', [
      z.object({ form: z.literal('frame'), url: z.string(), expiresTime: timeText }),
      z.object({
        form: z.literal('elements'),
        script: z.string(),
        publishableKey: z.string(),
        ephemeralKey: z.string(),
        cardRef: z.string(),
        expiresTime: timeText,
      }),
    ]),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED', 'CARD_FROZEN_BY_RISK', 'CARD_ISSUER_AWAY', ...PAY_PASSWORD_ERRORS],
  },
  expiredCardDelete: {
    method: 'POST',
    path: '/card/expiredCardDelete',
    access: 'user',
    idempotency: 'optional',
    summary: 'Takes a closed card off the list; its bills stay',
    input: z.object({ id: cardId }),
    reply: emptyReply,
    errors: ['CARD_NOT_FOUND', 'CARD_HAS_OPEN_CHARGES', 'CARD_BUSY'],
  },
  closeCard: {
    method: 'POST',
    path: '/card/close',
    access: 'user',
    idempotency: 'optional',
    summary: 'Closes a card for good, or reports it lost; what is left goes to the balance',
    input: z.object({ id: cardId, reason: z.enum(['user', 'lost']), payPassword: cardPayPassword }),
    reply: cardRow,
    errors: ['CARD_NOT_FOUND', 'CARD_CLOSED', 'CARD_BUSY', ...PAY_PASSWORD_ERRORS],
  },
  changeCard: {
    method: 'POST',
    path: '/card/changeCard',
    access: 'user',
    idempotency: 'optional',
    summary: 'Changes a card for a new number; balance and limits go with it',
    input: z.object({ id: cardId }),
    reply: z.object({ changeId: z.string() }),
    errors: ['CARD_NOT_FOUND', 'CARD_NOT_READY', 'CARD_CLOSED', 'CARD_MUST_CHANGE', 'CARD_BUSY', 'CARD_IN_DEBT'],
  },
  changeCardStatus: {
    method: 'GET',
    path: '/card/changeCardStatus',
    access: 'user',
    summary: 'Progress of a change',
    input: z.object({ cardId }),
    reply: z.object({ status: z.enum(['idle', 'changing', 'success', 'failed']), newCard: cardRow.nullable(), amount: usdText }),
    errors: ['CARD_NOT_FOUND'],
  },
  challenges: {
    method: 'GET',
    path: '/card/challenges',
    access: 'user',
    inPerson: true,
    summary: '3-D Secure codes that wait to be typed at a merchant; they are read from the issuer and kept nowhere',
    input: z.object({}),
    reply: z.object({
      rowList: z.array(z.object({ id: z.string(), cardId, last4: z.string(), merchant: z.string(), amount: usdText, code: z.string(), expiresTime: timeText })),
    }),
    errors: [],
  },
})

/** Cards: opening, transfers on and off, freezing, replacement, and their details. */
export const cardsContract = { ...cardOpeningContract, ...cardMoneyContract, ...ownContract }
