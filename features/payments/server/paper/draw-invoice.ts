import { showUsd } from '#platform/shared/show-money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { InvoiceFacts, PaidLine, PaperStatus } from './facts.ts'
import { createOrderWords, createPaperTexts } from './paper-texts.ts'
import { createPen } from './pen.ts'
import type { Pen } from './pen.ts'
import { DIM_COLOR, LINE_COLOR, drawDashedRule, drawVoidMark } from './strokes.ts'
import { LANGUAGES, chooseBrand } from '#platform/shared/languages.ts'

const [WIDTH, HEIGHT] = [595.28, 841.89]
const EDGE = 54
const RIGHT = WIDTH - EDGE
const FOOT = HEIGHT - 64
/** Right edges of the columns of figures. */
const COLUMNS = { amount: 372, fee: 428, back: 486, net: RIGHT } as const

/** Draws the invoice of a month on A4: seller and recipient, a line per payment, the total; as many pages as needed. */
export function drawInvoice(facts: InvoiceFacts, standing: PaperStatus, lang: Lang): Promise<Uint8Array<ArrayBuffer>> {
  const say = createPaperTexts(lang)
  const pen = createPen({
    size: 'A4',
    bufferPages: true,
    info: { Title: `${say('paper_invoice')} ${standing.paperNo}`, Author: facts.house.company, CreationDate: standing.issuedAt },
    lang: LANGUAGES[lang].tag,
  })
  let y = drawTableHead(pen, drawHead(pen, facts, { standing, lang }), lang)
  for (const line of facts.lines) {
    if (y > FOOT - 60) {
      pen.doc.addPage()
      y = drawTableHead(pen, EDGE, lang)
    }
    pen.put(toShanghaiDay(new Date(line.paidTime)), [EDGE, y], { size: 9 })
    pen.put(fitText(pen, createOrderWords(lang).title(line.orderType), 190), [EDGE + 66, y], { size: 9, weight: 700 })
    pen.put(line.orderNo, [EDGE + 66, y + 13], { size: 8, color: DIM_COLOR })
    const cells = formatLineCells(line)
    pen.putRight(cells.amount, [COLUMNS.amount, y], { size: 9 })
    pen.putRight(cells.fee, [COLUMNS.fee, y], { size: 9 })
    pen.putRight(cells.back, [COLUMNS.back, y], { size: 9 })
    pen.putRight(cells.net, [COLUMNS.net, y], { size: 9, weight: 700 })
    y += 32
    pen.doc
      .save()
      .lineWidth(0.5)
      .strokeColor(LINE_COLOR)
      .moveTo(EDGE, y - 5)
      .lineTo(RIGHT, y - 5)
      .stroke()
      .restore()
  }
  if (y > FOOT - 70) {
    pen.doc.addPage()
    y = EDGE
  }
  y = drawDashedRule(pen, EDGE, { right: RIGHT, y: y + 10 })
  pen.put(say('paper_net_due'), [EDGE, y + 4], { size: 14, weight: 700 })
  pen.putRight(formatTotalDue(facts), [RIGHT, y], { size: 20, weight: 700 })
  const { start, count } = pen.doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pen.doc.switchToPage(page)
    pen.put(say('paper_foot', { support: facts.house.support }), [EDGE, FOOT + 14], { size: 8, color: DIM_COLOR })
    pen.put(say('paper_times'), [EDGE, FOOT + 26], { size: 8, color: DIM_COLOR })
    pen.putRight(say('paper_page', { page: String(page - start + 1), pages: String(count) }), [RIGHT, FOOT + 14], { size: 8, color: DIM_COLOR })
    pen.putRight(standing.paperNo, [RIGHT, FOOT + 26], { size: 8, color: DIM_COLOR })
    if (standing.voidAt)
      drawVoidMark(pen, say('paper_void'), {
        note: standing.replacedBy ? say('paper_replaced', { paperNo: standing.replacedBy }) : '',
        x: WIDTH / 2,
        y: HEIGHT / 2,
      })
  }
  return pen.finish()
}

function drawHead(pen: Pen, { house, to, month }: InvoiceFacts, { standing, lang }: { readonly standing: PaperStatus; readonly lang: Lang }): number {
  const say = createPaperTexts(lang)
  pen.put(chooseBrand(lang, house), [EDGE, 50], { size: 20, weight: 700 })
  pen.putRight(say('paper_invoice'), [RIGHT, 48], { size: 24, weight: 700 })
  let y = drawDashedRule(pen, EDGE, { right: RIGHT, y: 92 })
  const facts = [
    [say('paper_no'), standing.paperNo],
    [say('paper_issued'), toShanghaiDay(standing.issuedAt)],
    [say('paper_month'), month],
  ]
  for (const [at, [label = '', value = '']] of facts.entries()) {
    pen.put(label, [EDGE + at * 162, y], { size: 8.5, color: DIM_COLOR })
    pen.put(value, [EDGE + at * 162, y + 13], { size: 11, weight: 700 })
  }
  y = drawDashedRule(pen, EDGE, { right: RIGHT, y: y + 42 })
  const column = (RIGHT - EDGE - 24) / 2
  const left = drawBlock(pen, say('paper_from'), { texts: [house.company, house.support], x: EDGE, top: y, width: column })
  const region = [to.city, to.state, to.postalCode].filter(Boolean).join(', ')
  const right = drawBlock(pen, say('paper_to'), {
    texts: [to.userName, to.email, to.addressLine, region, to.country].filter(Boolean),
    x: EDGE + column + 24,
    top: y,
    width: column,
  })
  return Math.max(left, right) + 20
}

function drawBlock(
  pen: Pen,
  label: string,
  { texts, x, top, width }: { readonly texts: readonly string[]; readonly x: number; readonly top: number; readonly width: number },
): number {
  pen.put(label, [x, top], { size: 8.5, color: DIM_COLOR })
  let y = top + 15
  for (const [at, text] of texts.entries()) {
    const style = { size: at ? 9.5 : 11, weight: at ? 400 : 700 } as const
    for (const line of pen.lines(text, width, style)) {
      pen.put(line, [x, y], style)
      y += 15
    }
  }
  return y
}

function drawTableHead(pen: Pen, y: number, lang: Lang): number {
  const say = createPaperTexts(lang)
  const style = { size: 8.5, color: DIM_COLOR }
  pen.put(say('paper_date'), [EDGE, y], style)
  pen.put(say('paper_item'), [EDGE + 66, y], style)
  pen.putRight(say('paper_amount'), [COLUMNS.amount, y], style)
  pen.putRight(say('paper_fee_plain'), [COLUMNS.fee, y], style)
  pen.putRight(say('paper_back'), [COLUMNS.back, y], style)
  pen.putRight(say('paper_net'), [COLUMNS.net, y], style)
  pen.doc
    .save()
    .lineWidth(1)
    .strokeColor('#131b1c')
    .moveTo(EDGE, y + 16)
    .lineTo(RIGHT, y + 16)
    .stroke()
    .restore()
  return y + 26
}

const fitText = (pen: Pen, text: string, width: number) => pen.lines(text, width, { size: 9, weight: 700 })[0] ?? ''
/** Figures of a line as printed; refunds carry a minus sign. */
export const formatLineCells = ({ amount, fee, back, net }: PaidLine) => ({
  amount: showUsd(amount),
  fee: showUsd(fee),
  back: back === '0' ? '–' : `-${showUsd(back)}`,
  net: showUsd(net),
})
export const formatTotalDue = ({ net }: Pick<InvoiceFacts, 'net'>): string => `USD ${showUsd(net)}`
