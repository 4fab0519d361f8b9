import type { Lang } from '#platform/shared/texts.ts'
import type { PaperFacts, PaperStatus, ReceiptFacts } from './facts.ts'
import { drawInvoice } from './draw-invoice.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import { isConvertedCurrency, toCurrencySymbol } from '../../contract-currencies.ts'
import { formatPaymentLine } from '../order-movements.ts'
import { createOrderWords, createPaperTexts } from './paper-texts.ts'
import { createPen } from './pen.ts'
import type { Pen } from './pen.ts'
import { DIM_COLOR, drawLeader, drawDashedRule, drawStamp, drawVoidMark } from './strokes.ts'
import { LANGUAGES, chooseBrand } from '#platform/shared/languages.ts'

const WIDTH = 380
const EDGE = 36
const RIGHT = WIDTH - EDGE

/** Draws a till receipt: as high as its lines, with a torn lower edge and the stamp across the total. */
function drawReceipt(facts: ReceiptFacts, standing: PaperStatus, lang: Lang): Promise<Uint8Array<ArrayBuffer>> {
  const measured = layOutReceipt(createPen({ size: [WIDTH, 2000] }), facts, { standing, lang })
  const pen = createPen({
    size: [WIDTH, measured + 34],
    info: { Title: `${createPaperTexts(lang)('paper_receipt')} ${standing.paperNo}`, Author: facts.house.company, CreationDate: standing.issuedAt },
    lang: LANGUAGES[lang].tag,
  })
  layOutReceipt(pen, facts, { standing, lang })
  drawTornEdge(pen, measured + 20)
  return pen.finish()
}

function layOutReceipt(
  pen: Pen,
  { house, to, line, rate, feePercent, payAmount, payCurrency }: ReceiptFacts,
  { standing, lang }: { readonly standing: PaperStatus; readonly lang: Lang },
): number {
  const say = createPaperTexts(lang)
  const { title, method } = createOrderWords(lang)
  pen.put(chooseBrand(lang, house), [EDGE, 34], { size: 17, weight: 700 })
  pen.putRight(say('paper_receipt'), [RIGHT, 38], { size: 12, weight: 700 })
  let y = 60
  for (const text of pen.lines(house.company, RIGHT - EDGE, { size: 8.5 })) {
    pen.put(text, [EDGE, y], { size: 8.5, color: DIM_COLOR })
    y += 12
  }
  y = drawDashedRule(pen, EDGE, { right: RIGHT, y: y + 8 })
  const small = { size: 9, color: DIM_COLOR }
  const pairs = [
    [say('paper_no'), standing.paperNo],
    [say('paper_issued'), toShanghaiDay(standing.issuedAt)],
    [say('paper_order'), line.orderNo],
    [say('paper_paid_at'), toShanghaiTime(new Date(line.paidTime))],
    ...(method(line.method) ? [[say('paper_method'), method(line.method)]] : []),
    [say('paper_moved'), formatPaymentLine(lang, { orderType: line.orderType, transactionType: line.method })],
    ...(to ? [[say('paper_account'), to]] : []),
  ]
  for (const [label = '', value = ''] of pairs) {
    pen.put(label, [EDGE, y], small)
    for (const text of pen.lines(value, RIGHT - EDGE - 84, { size: 9 })) {
      pen.put(text, [EDGE + 84, y], { size: 9 })
      y += 15
    }
  }
  y = drawDashedRule(pen, EDGE, { right: RIGHT, y: y + 5 })
  y = drawLeader(pen, title(line.orderType), { value: dollars(line.amount), left: EDGE, right: RIGHT, y })
  const { fee, fixedFee = '0' } = line
  y = drawLeader(pen, say('paper_fee', { percent: feePercent }), {
    value: dollars(formatUsd(subtractNano(parseUsd(fee), parseUsd(fixedFee)))),
    left: EDGE,
    right: RIGHT,
    y,
  })
  if (fixedFee !== '0') y = drawLeader(pen, say('paper_fixed_fee'), { value: dollars(fixedFee), left: EDGE, right: RIGHT, y })
  y = drawLeader(pen, say('paper_total'), { value: dollars(line.total), left: EDGE, right: RIGHT, y })
  if (isConvertedCurrency(payCurrency)) y = drawLeader(pen, say('paper_rate'), { value: rate, left: EDGE, right: RIGHT, y })
  if (line.back !== '0') y = drawLeader(pen, say('paper_back'), { value: `-${dollars(line.back)}`, left: EDGE, right: RIGHT, y })
  y = drawDashedRule(pen, EDGE, { right: RIGHT, y: y + 4 })
  pen.put(say('paper_paid'), [EDGE, y + 3], { size: 15, weight: 700 })
  pen.putRight(`${toCurrencySymbol(payCurrency)}${payAmount}`, [RIGHT, y], { size: 19, weight: 700 })
  y += 30
  if (line.back !== '0') {
    pen.put(say('paper_net'), [EDGE, y], { size: 10 })
    pen.putRight(dollars(line.net), [RIGHT, y], { size: 10, weight: 700 })
    y += 18
  }
  const stampEnd = drawStamp(pen, say('paper_stamp'), { x: EDGE + 4, y: y + 14 })
  for (const text of pen.lines(`${say('paper_foot', { support: house.support })}`, 190, { size: 8 })) {
    pen.put(text, [RIGHT - 190, y + 14], { size: 8, color: DIM_COLOR })
    y += 12
  }
  pen.put(say('paper_times'), [RIGHT - 190, y + 14], { size: 8, color: DIM_COLOR })
  const bottom = Math.max(stampEnd, y + 30)
  if (standing.voidAt)
    drawVoidMark(pen, say('paper_void'), {
      note: standing.replacedBy ? say('paper_replaced', { paperNo: standing.replacedBy }) : '',
      x: WIDTH / 2,
      y: bottom / 2,
    })
  return bottom + 8
}

const dollars = (amount: string) => `$${showUsd(amount)}`

function drawTornEdge({ doc }: Pen, y: number): void {
  const step = 12
  doc.save().fillColor('#e7ecec')
  for (let x = step / 2; x < WIDTH + step; x += step) doc.circle(x, y + 14, 4.6)
  doc.fill()
  doc.restore()
}

/** Draws a paper as a PDF. The same facts and language always give the same text. */
export function drawPaper(facts: PaperFacts, standing: PaperStatus, lang: Lang): Promise<Uint8Array<ArrayBuffer>> {
  return facts.kind === 'invoice' ? drawInvoice(facts, standing, lang) : drawReceipt(facts, standing, lang)
}
