import { z } from 'zod'
import { defineContract, fileReply, usdText, langSchema } from '#platform/shared/contract.ts'
import { invoiceLine } from '#features/account/contract-fields.ts'
import { minorAmount, orderNoSchema } from './contract-shapes.ts'
import { paymentErrors } from './errors.ts'
import { INVOICE_NAME, PAPER_KINDS, VOID_CAUSES } from './words-out.ts'

export const paperNo = z.string().regex(/^(?:RC|IN)-\d{4}-\d{6,9}$/)
/** YYYY-MM; 2023 to the current month is checked by the server, whose calendar is Shanghai's. */
const month = z.string().regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/)
const lang = langSchema

/**
 * All fields are required, one line of at most 50 characters as in the account; the name takes letters and blanks only (product.md 2.5).
 */
export const invoiceForm = {
  userName: invoiceLine.refine((text) => INVOICE_NAME.test(text)),
  email: z.email().max(50),
  country: invoiceLine,
  state: invoiceLine,
  city: invoiceLine,
  addressLine: invoiceLine,
  postalCode: invoiceLine,
}

/** Largest invoice fee that the user agreed to in the preview; absent if no fee is due. */
const agreedFee = minorAmount.optional()

export const paperRow = z.object({
  paperNo,
  kind: z.enum(PAPER_KINDS),
  /** Month of an invoice; '' for a receipt. */
  month: z.string(),
  /** Order number of a receipt; '' for an invoice. */
  orderNo: z.string(),
  userName: z.string(),
  /** Payments less refunds, in dollars. */
  amount: usdText,
  lang,
  issuedTime: z.string(),
  /** Null while the paper is valid; `replacedBy` names the replacement of a void one. */
  voidTime: z.string().nullable(),
  replacedBy: z.string().nullable(),
  /** Cause given by the operator who voided the paper; '' for every other reason. */
  voidCause: z.enum(['', ...VOID_CAUSES]),
})
export type PaperRow = z.output<typeof paperRow>

/** Receipts of orders, monthly invoices, and the balance statement. Files are returned as bytes; a JSON response is a refusal. */
export const paperContract = defineContract(paymentErrors)({
  invoice: {
    method: 'POST',
    path: '/v1/userWrapperApi/usageStat/invoice',
    access: 'user',
    summary: 'The invoice of a month as a PDF: the one that holds, or a new one with the details applied for last',
    timeoutMs: 60_000,
    input: z.object({ month, receiptType: z.literal('API'), lang: lang.optional(), agreedFee }),
    reply: fileReply,
    errors: ['INVOICE_MONTH', 'INVOICE_EMPTY', 'INVOICE_FEE', 'BALANCE_TOO_LOW'],
  },
  invoicePreview: {
    method: 'GET',
    path: '/v1/userWrapperApi/usageStat/invoicePreview',
    access: 'user',
    summary: 'Preview of a month’s invoice, and the number that it would replace; nothing is issued',
    input: z.object({ month }),
    reply: z.object({
      month,
      lines: z.array(z.object({ orderNo: orderNoSchema, title: z.string(), paidTime: z.string(), amount: usdText, fee: usdText, back: usdText, net: usdText })),
      net: usdText,
      /** Charged to the balance on issue: `feePercent` of each order, at most `feeMost`, for orders not charged for an invoice before. */
      fee: usdText,
      feePercent: z.string(),
      feeMost: usdText,
      /** The valid invoice, which becomes void when another one is issued; null if there is none. */
      holds: z.string().nullable(),
    }),
    errors: ['INVOICE_MONTH', 'INVOICE_EMPTY'],
  },
  applyInvoice: {
    method: 'POST',
    path: '/v1/userWrapperApi/usageStat/applyInvoice',
    access: 'user',
    summary: 'Issues the invoice of a month with these details; one with other details is void from then on',
    input: z.object({ month, lang: lang.optional(), agreedFee, ...invoiceForm }),
    reply: paperRow,
    errors: ['INVOICE_MONTH', 'INVOICE_EMPTY', 'INVOICE_REISSUED', 'INVOICE_FEE', 'BALANCE_TOO_LOW'],
  },
  orderReceipt: {
    method: 'POST',
    path: '/v1/pay/receipt',
    access: 'user',
    summary: 'The receipt of an order as a PDF',
    timeoutMs: 60_000,
    input: z.object({ orderNo: orderNoSchema, lang: lang.optional() }),
    reply: fileReply,
    errors: ['ORDER_NOT_FOUND', 'RECEIPT_NOT_READY'],
  },
  paperList: {
    method: 'GET',
    path: '/v1/pay/paperList',
    access: 'user',
    summary: 'Receipts and invoices issued to the user, newest first, void ones included',
    input: z.object({
      kind: z.enum(PAPER_KINDS).optional(),
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      pageSize: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({ rowList: z.array(paperRow), nextCursor: z.string().nullable() }),
    errors: [],
  },
  paperFile: {
    method: 'POST',
    path: '/v1/pay/paper',
    access: 'user',
    summary: 'A paper that was issued, as a PDF, marked void when it no longer holds',
    timeoutMs: 60_000,
    input: z.object({ paperNo }),
    reply: fileReply,
    errors: ['PAPER_NOT_FOUND'],
  },
  statementCsv: {
    method: 'GET',
    path: '/user/statement.csv',
    access: 'user',
    summary: 'Entries of the balance as CSV, newest first; the balances add up line by line',
    timeoutMs: 120_000,
    /** Days of Shanghai, both included. */
    input: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional(), lang: lang.optional() }),
    reply: fileReply,
    errors: [],
  },
})
