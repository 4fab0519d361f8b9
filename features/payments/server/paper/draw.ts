import type { Lang } from '#platform/shared/texts.ts'
import type { PaperFacts, PaperStatus } from './facts.ts'
import { drawInvoice } from './draw-invoice.ts'
import { drawReceipt } from './draw-receipt.ts'

/** A paper as a PDF. The same facts in the same language give the same words, whenever it is drawn. */
export function drawPaper(facts: PaperFacts, standing: PaperStatus, lang: Lang): Promise<Uint8Array<ArrayBuffer>> {
  return facts.kind === 'invoice' ? drawInvoice(facts, standing, lang) : drawReceipt(facts, standing, lang)
}
