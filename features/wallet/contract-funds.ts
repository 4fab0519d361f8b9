import { z } from 'zod'
import { defineContract, fileReply, usdText, langSchema } from '#platform/shared/contract.ts'
import { FUNDS_CATEGORIES } from './contract-movements.ts'
import { walletErrors } from './errors.ts'

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)
const category = z.enum(FUNDS_CATEGORIES)
const count = z.number().int()

/** API usage of one day and key. */
const usageDay = z.object({ day: z.string(), keyId: z.string(), keyName: z.string(), calls: count, models: count, amount: usdText })

/** A movement of the balance. `amount` is signed; `balance` is the balance after it, below zero if in debt. */
export const fundsRow = z.object({
  id: z.string(),
  kind: z.string(),
  category,
  at: z.string(),
  title: z.string(),
  /** Second line; empty if there is none. */
  about: z.string(),
  from: z.string(),
  to: z.string(),
  amount: usdText,
  balance: usdText,
  state: z.enum(['processing', 'returned']).nullable(),
  orderNo: z.string().nullable(),
  withdrawalNo: z.string().nullable(),
  cardId: z.string().nullable(),
  hasReceipt: z.boolean(),
  /** Days and keys that a row of API calls stands for, oldest first. */
  days: z.array(usageDay).nullable(),
})
export type FundsRow = z.output<typeof fundsRow>

const totals = z.object({
  opening: usdText,
  topup: usdText,
  refund: usdText,
  reward: usdText,
  /** The next three count outgoing money: positive if more left than came back. */
  spend: usdText,
  card: usdText,
  withdraw: usdText,
  closing: usdText,
})
export type FundsTotals = z.output<typeof totals>

const filter = { month: month.optional(), category: category.optional(), q: z.string().max(60).optional(), lang: langSchema.optional() }

/** The ledger of the API balance in words: funds page, its file, overview. */
export const fundsContract = defineContract(walletErrors)({
  funds: {
    method: 'GET',
    path: '/user/funds',
    access: 'user',
    summary:
      'Movements of the balance in a month (Shanghai), newest first, with exact totals; calls are one row for days and keys without another movement between',
    input: z.object({ ...filter, after: z.string().max(80).optional(), limit: z.coerce.number().int().min(1).max(200).default(200) }),
    reply: z.object({
      month: z.string(),
      /** The first month with anything in it. */
      firstMonth: z.string(),
      isCurrent: z.boolean(),
      asOf: z.string(),
      totals,
      counts: z.object({ all: count, topup: count, spend: count, card: count, withdraw: count, refund: count, reward: count }),
      /** Parts of the month's spending. */
      spent: z.object({ api: usdText, other: usdText }),
      rowList: z.array(fundsRow),
      /** Number and totals of the rows that match the filter. */
      found: count,
      sum: usdText,
      /** `after` of the following page; null at the end. */
      next: z.string().nullable(),
    }),
    errors: [],
  },
  fundsSummary: {
    method: 'GET',
    path: '/user/fundsSummary',
    access: 'user',
    summary: 'Sources of the balance, of all time: added - spent - out - chargeback = available + held - owed',
    input: z.object({}),
    reply: z.object({
      added: usdText,
      topup: usdText,
      reward: usdText,
      /** Refunds of orders that a channel had paid directly. */
      refunded: usdText,
      /** Refunds deducted. */
      spent: usdText,
      monthSpent: usdText,
      out: usdText,
      card: usdText,
      withdraw: usdText,
      chargeback: usdText,
      /** added - spent - out - chargeback; below zero is debt. */
      balance: usdText,
      /** Part of `balance` that runs or is promised. */
      held: usdText,
      recent: z.array(fundsRow),
      asOf: z.string(),
    }),
    errors: [],
  },
  fundsCsv: {
    method: 'GET',
    path: '/user/funds.csv',
    access: 'user',
    summary: 'The rows of a month as filtered, with all digits and the words of the page',
    input: z.object(filter),
    reply: fileReply,
    errors: [],
    timeoutMs: 60_000,
  },
})
