import { z } from 'zod'
import type { RawReply } from '../port.ts'
import { langSchema } from '#platform/shared/contract.ts'

/** Wire format between the application and the sandbox company. */
const minor = z.string().regex(/^\d{1,15}$/)
const open = z.object({
  merchant: z.string(),
  tradeNo: z.string(),
  minor,
  currency: z.string(),
  orderAmount: z.string(),
  subject: z.string(),
  transactionType: z.number(),
  form: z.enum(['qr', 'redirect', 'form']),
  lang: langSchema,
  notifyUrl: z.url(),
  returnUrl: z.string(),
  expiresAt: z.iso.datetime(),
})
const query = z.object({ merchant: z.string(), tradeNo: z.string() })
const agree = z.object({
  merchant: z.string(),
  agreementNo: z.string().min(1).max(64),
  transactionType: z.number(),
  lang: langSchema,
  notifyUrl: z.url(),
  returnUrl: z.string(),
  expiresAt: z.iso.datetime(),
})
const agreementQuery = z.object({ merchant: z.string(), agreementNo: z.string() })
const charge = z.object({
  merchant: z.string(),
  agreementNo: z.string(),
  tradeNo: z.string().min(1).max(64),
  minor,
  currency: z.string(),
  orderAmount: z.string(),
  subject: z.string(),
  notifyUrl: z.url(),
  expiresAt: z.iso.datetime(),
})
const refund = z.object({
  merchant: z.string(),
  refundNo: z.string().min(1).max(64),
  tradeNo: z.string(),
  txn: z.string(),
  minor,
  notifyUrl: z.url(),
})
const refundQuery = z.object({ merchant: z.string(), refundNo: z.string() })
const contest = z.object({
  merchant: z.string(),
  evidenceNo: z.string().min(1).max(64),
  disputeId: z.string(),
  words: z.string().max(5000),
  facts: z.record(z.string(), z.string()),
})
const statement = z.object({ merchant: z.string(), day: z.iso.date() })
const notice = z.object({
  merchant: z.string(),
  notice_id: z.string().min(1).max(80),
  event: z.string().max(40),
  trade_no: z.string().min(1).max(64).optional(),
  agreement_no: z.string().min(1).max(64).optional(),
  amount: minor.optional(),
  currency: z.string().optional(),
  refund_no: z.string().max(64).optional(),
})

/** The channel's replies. Anything of another shape means that the outcome is not known. */
export const openReply = z.discriminatedUnion('code', [
  z.object({ code: z.literal('OK'), token: z.string().regex(/^[0-9a-f]{32}$/), expiresAt: z.iso.datetime() }),
  z.object({ code: z.literal('REFUSED'), message: z.string() }),
])
export const queryReply = z.discriminatedUnion('code', [
  z.object({ code: z.literal('NOT_FOUND') }),
  z.object({
    code: z.literal('OK'),
    state: z.enum(['open', 'paid', 'declined', 'closed']),
    scanned: z.boolean(),
    refusal: z.enum(['declined', 'authentication', 'ended']).optional(),
    payments: z.array(z.object({ txn: z.string().min(1), minor, currency: z.string(), paidAt: z.iso.datetime(), payer: z.string().optional() })),
    disputes: z.array(
      z.object({ id: z.string(), txn: z.string(), minor, currency: z.string(), state: z.enum(['open', 'won', 'lost']), dueAt: z.iso.datetime() }),
    ),
  }),
])

export const agreeReply = z.object({ code: z.literal('OK'), token: z.string().regex(/^[0-9a-f]{32}$/) })
export const agreementReply = z.discriminatedUnion('code', [
  z.object({ code: z.literal('NOT_FOUND') }),
  z.object({ code: z.literal('OK'), state: z.enum(['open', 'active', 'refused', 'ended']), token: z.string(), label: z.string() }),
])
export const chargeReply = z.discriminatedUnion('code', [
  z.object({ code: z.literal('OK') }),
  z.object({ code: z.literal('REFUSED'), refusal: z.enum(['declined', 'authentication', 'ended']) }),
])
export const revokeReply = z.object({ code: z.literal('OK') })
export const refundReply = z.discriminatedUnion('code', [
  z.object({ code: z.literal('OK'), state: z.enum(['pending', 'succeeded', 'stuck', 'failed']), minor }),
  z.object({ code: z.literal('REFUSED'), message: z.string() }),
  z.object({ code: z.literal('NOT_FOUND') }),
])
export const contestReply = z.discriminatedUnion('code', [z.object({ code: z.literal('OK') }), z.object({ code: z.literal('REFUSED'), message: z.string() })])
export const closeReply = z.object({ code: z.literal('OK'), state: z.enum(['paid', 'closed']) })
export const statementReply = z.object({
  code: z.literal('OK'),
  lines: z.array(
    z.object({
      kind: z.enum(['payment', 'refund', 'dispute']),
      tradeNo: z.string(),
      txn: z.string(),
      refundNo: z.string(),
      minor,
      currency: z.string(),
      at: z.iso.datetime(),
    }),
  ),
})

const reader =
  <T>(schema: z.ZodType<T>) =>
  (value: unknown): T | undefined =>
    schema.safeParse(value).data
export const openRequest = reader(open)
export const queryRequest = reader(query)
export const agreeRequest = reader(agree)
export const agreementQueryRequest = reader(agreementQuery)
export const chargeRequest = reader(charge)
export const refundRequest = reader(refund)
export const refundQueryRequest = reader(refundQuery)
export const contestRequest = reader(contest)
export const statementRequest = reader(statement)
export const noticeBody = reader(notice)

export function json(status: number, value: unknown): RawReply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}
