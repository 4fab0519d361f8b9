import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { formatBillTitle } from '../../bill-titles.ts'
import { loadPaperKit } from '#features/payments/server/door.ts'
import type { Pen } from '#features/payments/server/door.ts'
import type { BillWithCard } from '../bills/data.ts'
import { createCardTranslator } from '../mail-texts.ts'
import { LANGUAGES } from '#platform/shared/languages.ts'

export interface StatementFacts {
  readonly house: { readonly company: string; readonly brand: string; readonly support: string }
  readonly month: string
  readonly last4: string
  readonly holder: string
  /** Dollars as text. */
  readonly opening: string
  readonly closing: string
  readonly came: string
  readonly went: string
  readonly fees: string
  readonly rows: readonly BillWithCard[]
  readonly issuedAt: Date
}

const [WIDTH, HEIGHT, EDGE] = [595, 842, 40]
const RIGHT = WIDTH - EDGE
const COLUMNS = { time: EDGE, what: EDGE + 92, amount: RIGHT - 120, fee: RIGHT - 62, after: RIGHT }
const LAST_LINE = HEIGHT - 70
/** Width for the text of a row. */
const ROOM = RIGHT - 120 - EDGE - 92 - 66

/** Draws a month of a card on A4: opening balance, every row, closing balance. The rows add up. */
export async function drawStatement(facts: StatementFacts, lang: Lang): Promise<Uint8Array<ArrayBuffer>> {
  const { createPen, DIM_COLOR, drawDashedRule } = await loadPaperKit()
  const say = createCardTranslator(lang)
  const title = `${say('paper_statement')} ${facts.month} ${facts.last4}`
  const pen = createPen({
    size: [WIDTH, HEIGHT],
    info: { Title: title, Author: facts.house.company, CreationDate: facts.issuedAt },
    lang: LANGUAGES[lang].tag,
  })
  let y = drawHead(pen, facts, { say, dim: DIM_COLOR })
  y = drawDashedRule(pen, EDGE, { right: RIGHT, y: y + 4 })
  y = drawColumnTitles(pen, say, { y, dim: DIM_COLOR })
  let page = 1
  for (const row of facts.rows) {
    if (y > LAST_LINE) {
      drawFoot(pen, facts, { say, page, dim: DIM_COLOR })
      pen.doc.addPage({ size: [WIDTH, HEIGHT], margin: 0 })
      page++
      y = drawColumnTitles(pen, say, { y: EDGE, dim: DIM_COLOR })
    }
    y = drawRow(pen, row, { lang, y, dim: DIM_COLOR })
  }
  if (!facts.rows.length) pen.put(say('paper_none'), [EDGE, y + 6], { color: DIM_COLOR })
  drawFoot(pen, facts, { say, page, dim: DIM_COLOR })
  return pen.finish()
}

type TranslateStatement = ReturnType<typeof createCardTranslator>

function drawHead(pen: Pen, facts: StatementFacts, { say, dim }: { readonly say: TranslateStatement; readonly dim: string }): number {
  pen.put(facts.house.brand, [EDGE, 40], { size: 17, weight: 700 })
  pen.putRight(say('paper_statement'), [RIGHT, 44], { size: 13, weight: 700 })
  pen.put(facts.house.company, [EDGE, 64], { size: 8.5, color: dim })
  let y = 92
  const pairs: readonly (readonly [string, string])[] = [
    [say('paper_month'), facts.month],
    [say('paper_card'), `•••• ${facts.last4}`],
    [say('paper_holder'), facts.holder],
    [say('paper_opening'), formatDollars(facts.opening)],
    [say('paper_in'), formatDollars(facts.came)],
    [say('paper_out'), formatDollars(facts.went)],
    [say('paper_fees'), formatDollars(facts.fees)],
    [say('paper_closing'), formatDollars(facts.closing)],
    [say('paper_rows'), String(facts.rows.length)],
  ]
  for (const [label, value] of pairs) {
    pen.put(label, [EDGE, y], { size: 9, color: dim })
    pen.put(value, [EDGE + 92, y], { size: 9, weight: label === say('paper_closing') ? 700 : 400 })
    y += 15
  }
  return y
}

function drawColumnTitles(pen: Pen, say: TranslateStatement, { y, dim }: { readonly y: number; readonly dim: string }): number {
  const small = { size: 8, color: dim }
  pen.put(say('csv_time'), [COLUMNS.time, y], small)
  pen.put(say('csv_merchant'), [COLUMNS.what, y], small)
  pen.putRight(say('csv_amount'), [COLUMNS.amount, y], small)
  pen.putRight(say('csv_fee'), [COLUMNS.fee, y], small)
  pen.putRight(say('csv_balance'), [COLUMNS.after, y], small)
  return y + 16
}

function drawRow(pen: Pen, row: BillWithCard, { lang, y, dim }: { readonly lang: Lang; readonly y: number; readonly dim: string }): number {
  pen.put(toShanghaiTime(row.at).slice(5, 16), [COLUMNS.time, y], { size: 8.5 })
  const local = row.local ? `  ${formatMinor(BigInt(row.local.minor))} ${row.local.currency}` : ''
  const words = `${formatBillTitle(lang, row.kind)}${row.merchant ? ` · ${row.merchant}` : ''}${row.country ? ` ${row.country}` : ''}${local}`
  const [first = '', ...more] = pen.lines(words, ROOM, { size: 8.5 })
  pen.put(first, [COLUMNS.what, y], { size: 8.5 })
  pen.putRight(formatDollars(formatUsd(row.amount)), [COLUMNS.amount, y], { size: 8.5 })
  pen.putRight(row.fee === 0n ? '' : formatDollars(formatUsd(row.fee)), [COLUMNS.fee, y], { size: 8.5 })
  pen.putRight(row.balanceAfter === null ? '' : formatDollars(formatUsd(row.balanceAfter)), [COLUMNS.after, y], { size: 8.5 })
  let at = y
  for (const text of more.slice(0, 2)) pen.put(text, [COLUMNS.what, (at += 11)], { size: 8, color: dim })
  return at + 15
}

function drawFoot(
  pen: Pen,
  facts: StatementFacts,
  { say, page, dim }: { readonly say: TranslateStatement; readonly page: number; readonly dim: string },
): void {
  pen.put(say('paper_foot', { support: facts.house.support }), [EDGE, HEIGHT - 40], { size: 8, color: dim })
  pen.putRight(say('paper_page', { page: String(page) }), [RIGHT, HEIGHT - 40], { size: 8, color: dim })
}

const formatDollars = (amount: string) => (amount.startsWith('-') ? `-$${showUsd(amount.slice(1))}` : `$${showUsd(amount)}`)
