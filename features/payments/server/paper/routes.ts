import { bind } from '#platform/server/feature.ts'
import { paperContract } from '../../contract-paper.ts'
import { applyInvoice, invoice, invoicePreview } from './verbs/invoice.ts'
import { orderReceipt } from './verbs/order-receipt.ts'
import { paperFile, paperList } from './verbs/papers.ts'
import { statementCsv } from './verbs/statement-csv.ts'

export const paperRoutes = bind(paperContract, { invoice, invoicePreview, applyInvoice, orderReceipt, paperList, paperFile, statementCsv })
