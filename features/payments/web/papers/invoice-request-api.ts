import { createApi } from '#platform/web/calls/api.ts'
import { invoiceRequestContract } from '../../contract-invoice-requests.ts'
import { paymentErrors } from '../../errors.ts'
import { paymentTexts } from '../../texts.ts'

export const invoiceRequestApi = createApi(invoiceRequestContract, { alone: true, errors: paymentErrors, texts: paymentTexts })
export const INVOICE_REQUESTS = ['payments', 'asked'] as const
