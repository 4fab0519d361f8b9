import { invoicesContract } from '#features/payments/contract-invoices.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { createConsoleApi } from '../kit/api.ts'

export const invoicesApi = createConsoleApi(invoicesContract)
export type InvoiceDetail = ReplyOf<(typeof invoicesContract)['invoice']>
export type InvoiceRequestListRow = ReplyOf<(typeof invoicesContract)['invoiceRequests']>['rows'][number]
export type InvoiceRequestDetail = ReplyOf<(typeof invoicesContract)['invoiceRequest']>
