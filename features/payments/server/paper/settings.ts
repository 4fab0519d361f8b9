import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const invoiceReissues = setting(
  'payments.invoice_reissues',
  z.int().min(0).max(50),
  5,
  'How often the invoice of one month can be issued anew with other details',
)

export const paperSettings = [invoiceReissues]
