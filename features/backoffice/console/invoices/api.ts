import { invoicesContract } from '#features/payments/contract-invoices.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { consoleApi } from '../kit/api.ts'

export const invoicesApi = consoleApi(invoicesContract)
export type Paper = ReplyOf<(typeof invoicesContract)['invoice']>
export type AskedLine = ReplyOf<(typeof invoicesContract)['invoiceRequests']>['rows'][number]
export type Asked = ReplyOf<(typeof invoicesContract)['invoiceRequest']>
