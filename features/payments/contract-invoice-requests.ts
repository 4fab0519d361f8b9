import { z } from 'zod'
import { defineContract, emptyReply, langSchema } from '#platform/shared/contract.ts'
import { minorAmount } from './contract-shapes.ts'
import { paymentErrors } from './errors.ts'
import { INVOICE_REQUEST_STATES, REFUSE_CAUSES } from './words-out.ts'

const plainLine = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u)

/** Recipient of an invoice issued by the desk. Unlike the customer form, it accepts a company name with digits and no address. */
export const deskInvoiceRecipient = z.object({
  userName: plainLine(120).min(1),
  email: z.email().max(120),
  ...{
    country: plainLine(60).default(''),
    state: plainLine(60).default(''),
    city: plainLine(60).default(''),
    addressLine: plainLine(160).default(''),
    postalCode: plainLine(20).default(''),
  },
})

/** A message between a customer and the desk. */
export const deskNote = plainLine(300)

export const requestNo = z.string().regex(/^IR-\d{8}-[0-9A-Z]{12}$/)
const month = z.string().regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/)

const row = z.object({
  requestNo,
  month: z.string(),
  userName: z.string(),
  state: z.enum(INVOICE_REQUEST_STATES),
  askedTime: z.string(),
  endedTime: z.string().nullable(),
  /** Number of the invoice issued for the request. */
  paperNo: z.string().nullable(),
  /** Reason of a refusal; empty for every other outcome. */
  cause: z.enum(['', ...REFUSE_CAUSES]),
  /** The invoice desk's reply. */
  answer: z.string(),
})
export type InvoiceRequest = z.output<typeof row>

/** Requests for invoices that the form cannot issue. The invoice desk issues or refuses them. */
export const invoiceRequestContract = defineContract(paymentErrors)({
  askInvoice: {
    method: 'POST',
    path: '/v1/userWrapperApi/usageStat/askInvoice',
    access: 'user',
    summary: 'Asks the invoice desk for an invoice of a month with details that the form does not take; the fee is charged when it is issued',
    input: z.object({
      month,
      lang: langSchema.optional(),
      agreedFee: minorAmount.optional(),
      ...deskInvoiceRecipient.shape,
      note: deskNote.default(''),
    }),
    reply: row,
    errors: ['INVOICE_MONTH', 'INVOICE_EMPTY', 'INVOICE_FEE', 'INVOICE_ASKED'],
  },
  dropInvoiceRequest: {
    method: 'POST',
    path: '/v1/userWrapperApi/usageStat/dropInvoiceRequest',
    access: 'user',
    summary: 'Takes a request back that the desk has not ended',
    input: z.object({ requestNo }),
    reply: emptyReply,
    errors: ['INVOICE_REQUEST_ENDED'],
  },
  invoiceRequests: {
    method: 'GET',
    path: '/v1/userWrapperApi/usageStat/invoiceRequests',
    access: 'user',
    summary: 'The last twenty requests of the user to the invoice desk, newest first',
    input: z.object({}),
    reply: z.object({ rowList: z.array(row) }),
    errors: [],
  },
})
