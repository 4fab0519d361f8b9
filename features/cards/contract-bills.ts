import { z } from 'zod'
import { defineContract, fileReply, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import { cardId } from './contract.ts'
import { cardErrors } from './errors.ts'
import { BILL_KINDS, BILL_STATES, DISPUTE_REASONS, DISPUTE_STATES, PERIOD_TYPES } from './words.ts'

const month = z.string().regex(/^\d{4}-\d{2}$/)
const filters = {
  cardId: cardId.optional(),
  kind: z.enum(BILL_KINDS).optional(),
  state: z.enum(BILL_STATES).optional(),
  /** 0 today, 1 this week from Monday, 2 this month, in Shanghai; `from` and `to` win. */
  periodType: z.coerce
    .number()
    .pipe(z.literal(Object.values(PERIOD_TYPES)))
    .optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  /** Part of the merchant's name. */
  merchant: z.string().trim().max(60).optional(),
}

const dispute = z.object({
  id: z.string(),
  state: z.enum(DISPUTE_STATES),
  reason: z.enum(DISPUTE_REASONS),
  words: z.string(),
  amount: usdText,
  createdTime: z.string(),
  submittedTime: z.string().nullable(),
  finishedTime: z.string().nullable(),
  credited: z.boolean(),
})

export const billRow = z.object({
  id: z.string(),
  cardId,
  last4: z.string(),
  time: z.string(),
  kind: z.enum(BILL_KINDS),
  /** The merchant's name and place as on a statement; empty for our own entries. */
  merchant: z.string(),
  place: z.string(),
  country: z.string(),
  /** Signed change of the card's balance; of a held or failed row, the sum held or refused. */
  amount: usdText,
  /** Sum charged by the merchant, if in another currency. */
  local: z.object({ amount: z.string(), currency: z.string() }).nullable(),
  /** Signed; the fee's own line is part of this row, so that rows add up to the balance. */
  fee: usdText,
  feeKind: z.enum(['abroad', 'refund', 'reversal', 'activation']).nullable(),
  status: z.enum(BILL_STATES),
  /** Failed rows only: a name for the text `decline_<name>`, and the missing sum. */
  reason: z.string(),
  missing: usdText.nullable(),
  /** Card balance after the row; null for held and failed rows. */
  balanceAfter: usdText.nullable(),
  /** Recharges and withdrawals: how it was paid, and the order. */
  method: z.string(),
  orderNo: z.string().nullable(),
  disputable: z.boolean(),
  dispute: dispute.nullable(),
})
export type BillRow = z.output<typeof billRow>

/** A card's book, its papers, and what a member disputes. */
export const billsContract = defineContract(cardErrors)({
  transactionList: {
    method: 'POST',
    path: '/transaction/list',
    access: 'user',
    summary: 'Bills of one card or of all, newest first',
    input: pageInput.extend(filters),
    reply: definePage(billRow),
    errors: ['CARD_NOT_FOUND'],
  },
  transactionTotal: {
    method: 'POST',
    path: '/transaction/total',
    access: 'user',
    summary: 'Sums of the same rows',
    input: z.object(filters),
    reply: z.object({
      count: z.number(),
      recharged: usdText,
      withdrawn: usdText,
      spent: usdText,
      refunded: usdText,
      fees: usdText,
      held: usdText,
      net: usdText,
    }),
    errors: ['CARD_NOT_FOUND'],
  },
  transactionInfo: {
    method: 'GET',
    path: '/transaction/{id}',
    access: 'user',
    summary: 'One bill with its course',
    input: z.object({ id: z.string().regex(/^[a-z]+_[\w-]{1,60}$/) }),
    reply: billRow.extend({ steps: z.array(z.object({ at: z.string(), event: z.string(), amount: usdText })) }),
    errors: ['BILL_NOT_FOUND'],
  },
  transactionCsv: {
    method: 'GET',
    path: '/transaction/csv',
    access: 'user',
    summary: 'The same rows as CSV, all of them',
    input: z.object(filters),
    reply: fileReply,
    errors: ['CARD_NOT_FOUND'],
  },
  openAccountInvoice: {
    method: 'GET',
    path: '/card/getOpenAccountInvoice',
    access: 'user',
    summary: 'Months with an opening receipt or a statement to ask for',
    input: z.object({}),
    reply: z.object({
      opening: z.array(z.object({ month, orderNo: z.string(), amount: usdText })),
      statements: z.array(z.object({ month, cardId, last4: z.string(), rows: z.number() })),
    }),
    errors: [],
  },
  applyOpenAccountInvoice: {
    method: 'GET',
    path: '/card/applyOpenAccountInvoice',
    access: 'user',
    summary: 'The card-opening receipt as PDF',
    input: z.object({ month, orderNo: z.string().optional() }),
    reply: fileReply,
    errors: ['CARD_PAPER_NONE'],
  },
  applyMonthlyStatementInvoice: {
    method: 'GET',
    path: '/card/applyMonthlyStatementInvoice',
    access: 'user',
    summary: 'A card’s monthly statement as PDF',
    input: z.object({ month, cardId: cardId.optional() }),
    reply: fileReply,
    errors: ['CARD_PAPER_NONE', 'CARD_NOT_FOUND'],
  },
  disputeBill: {
    method: 'POST',
    path: '/card/dispute',
    access: 'user',
    idempotency: 'optional',
    summary: 'Disputes a charge; the evidence is a file sent before with the upload policy',
    input: z.object({
      billId: z.string().max(60),
      reason: z.enum(DISPUTE_REASONS),
      words: z.string().trim().min(20).max(2000),
      filePath: z.string().max(200).optional(),
    }),
    reply: dispute,
    errors: ['BILL_NOT_FOUND', 'BILL_NOT_DISPUTABLE'],
  },
  disputeList: {
    method: 'GET',
    path: '/card/disputes',
    access: 'user',
    summary: 'Disputes of the user, newest first',
    input: pageInput,
    reply: definePage(dispute.extend({ bill: billRow })),
    errors: [],
  },
})
