import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const invoiceReissues = setting('payments.invoice_reissues', z.int().min(0).max(50), {
  fallback: 5,
  about: 'How often the invoice of one month can be reissued with other details',
})

export const invoiceFeePercent = setting('payments.invoice_fee_percent', z.string().regex(/^\d{1,2}(\.\d{1,4})?$/), {
  fallback: '0.4',
  about: 'Price of an invoice, in percent of each order on it; an order pays once, however often its invoice is reissued. 0 for nothing',
})

export const invoiceFeeCap = setting('payments.invoice_fee_most', z.string().regex(/^\d{1,3}(\.\d{1,2})?$/), {
  fallback: '2.00',
  about: 'The most that an invoice costs for one order, in dollars',
})

export const paperSettings = [invoiceReissues, invoiceFeePercent, invoiceFeeCap]
