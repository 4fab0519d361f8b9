import { z } from 'zod'
import { defineContract, fileReply, langSchema } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { requestNo } from './contract-invoice-requests.ts'
import { paymentErrors } from './errors.ts'
import { INVOICE_REQUEST_STATES, PAPER_KINDS, REFUSE_CAUSES, VOID_CAUSES } from './words-out.ts'

export { VOID_CAUSES }
export type { VoidCause } from './words-out.ts'

const paperNo = z.string().regex(/^(?:RC|IN)-\d{4}-\d{6,9}$/)
const row = z.object({
  ...{ paperNo: z.string(), kind: z.enum(PAPER_KINDS), userId: z.string(), month: z.string(), orderNo: z.string() },
  ...{ amount: z.string(), lang: langSchema, issuedAt: z.string(), voidAt: z.string().nullable(), replacedBy: z.string().nullable() },
  /** Why the invoice was voided: other details, other figures, or the operator's cause. */
  cause: z.enum(['', 'details', 'figures', ...VOID_CAUSES]),
})

const invoiceRequestRow = z.object({
  ...{ requestNo, userId: z.string(), month: z.string(), state: z.enum(INVOICE_REQUEST_STATES), askedAt: z.string(), endedAt: z.string().nullable() },
  ...{ paperNo: z.string().nullable(), cause: z.enum(['', ...REFUSE_CAUSES]) },
})

export const invoicesContract = defineContract({ ...commonErrors, ...paymentErrors })({
  invoices: {
    ...{ method: 'GET', access: 'operator', permission: 'work.read', path: '/operator/invoices' },
    summary: 'Invoices and receipts that were issued, newest first',
    input: z.object({
      kind: z.enum(PAPER_KINDS).optional(),
      state: z.enum(['holds', 'void']).optional(),
      month: z
        .string()
        .regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/)
        .optional(),
      /** Searches by invoice number, order number or customer id. */
      q: z.string().trim().max(100).optional(),
      ...{ after: z.string().max(40).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) },
    }),
    reply: z.object({ rows: z.array(row), next: z.string().nullable() }),
    errors: [],
  },
  invoice: {
    ...{ method: 'GET', access: 'operator', permission: 'invoices.decide', path: '/operator/invoice' },
    summary: 'One paper: its recipient, its lines, and what could still be invoiced of the month',
    input: z.object({ paperNo }),
    reply: row.extend({
      to: z.record(z.string(), z.string()),
      lines: z.array(z.object({ orderNo: z.string(), paidAt: z.string(), total: z.string(), back: z.string(), net: z.string() })),
      /** Net payments of the month; the part of them not invoiced yet; and how often the customer had this month's invoice reissued. */
      ...{ paid: z.string(), invoiceable: z.string(), redone: z.number() },
    }),
    errors: ['PAPER_NOT_FOUND'],
  },
  invoiceFile: {
    ...{ method: 'GET', access: 'operator', permission: 'invoices.decide', path: '/operator/invoice/file' },
    summary: 'The paper as its customer gets it, marked void when it no longer holds',
    input: z.object({ paperNo }),
    reply: fileReply,
    errors: ['PAPER_NOT_FOUND'],
    timeoutMs: 60_000,
  },
  invoiceRequests: {
    ...{ method: 'GET', access: 'operator', permission: 'work.read', path: '/operator/invoice/requests' },
    summary: 'Requests of customers to the desk: waiting ones first, the oldest on top',
    input: z.object({
      state: z.enum(['open', 'ended']).optional(),
      /** Searches by invoice number or customer id. */
      q: z.string().trim().max(100).optional(),
      ...{ after: z.string().max(40).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) },
    }),
    reply: z.object({ rows: z.array(invoiceRequestRow), next: z.string().nullable() }),
    errors: [],
  },
  invoiceRequest: {
    ...{ method: 'GET', access: 'operator', permission: 'invoices.decide', path: '/operator/invoice/request' },
    summary: 'One request: its recipient, the customer’s words, and the payments of the month',
    input: z.object({ requestNo }),
    reply: invoiceRequestRow.extend({
      to: z.record(z.string(), z.string()),
      ...{ note: z.string(), answer: z.string(), agreedFee: z.string(), paid: z.string(), invoiceable: z.string() },
      /** The valid invoice of the month, which a new one would void. */
      holds: z.string().nullable(),
    }),
    errors: ['INVOICE_REQUEST_ENDED'],
  },
})
