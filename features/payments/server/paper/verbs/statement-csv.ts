import type { Ctx, Handler } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { formatMovementTitle, toShownKind } from '#features/wallet/contract-movements.ts'
import { listBalanceEntries } from '#features/wallet/server/door.ts'
import type { paperContract } from '../../../contract-paper.ts'
import { BOM, formatCsvLine } from '#platform/server/csv.ts'
import { createPaperTexts } from '../paper-texts.ts'

const PAGE_SIZE = 500

/** Writes the statement page by page as it is read, so that years of entries need little memory. */
export const statementCsv: Handler<typeof paperContract.statementCsv> = async (ctx, { from, to, lang }) => ({
  type: 'text/csv; charset=utf-8',
  filename: `statement-${from ?? 'begin'}-${to ?? toShanghaiDay(ctx.clock.now())}.csv`,
  body: generateLines(ctx, from ?? '', { to: to ?? '9999', lang: lang ?? ctx.lang }),
})

async function* generateLines(ctx: Ctx, from: string, { to, lang }: { readonly to: string; readonly lang: Lang }): AsyncGenerator<string> {
  const say = createPaperTexts(lang)
  yield BOM + formatCsvLine([say('csv_seq'), say('csv_time'), say('csv_kind'), say('csv_ref'), say('csv_amount'), say('csv_balance')])
  let before: bigint | undefined
  for (;;) {
    const rows = await listBalanceEntries(ctx.db, { userId: ctx.userId, before, limit: PAGE_SIZE })
    let page = ''
    for (const row of rows) {
      const day = toShanghaiDay(row.at)
      if (day >= from && day <= to)
        page += formatCsvLine([
          String(row.seq),
          toShanghaiTime(row.at),
          describeMovement(lang, row),
          parseReference(row.ref),
          formatUsd(row.amount),
          formatUsd(row.after),
        ])
    }
    if (page) yield page
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_SIZE || toShanghaiDay(last.at) < from) return
    before = last.seq
  }
}

const describeMovement = (lang: Lang, { kind, ref, amount }: { kind: string; ref: string; amount: bigint }) =>
  formatMovementTitle(lang, toShownKind(kind, ref), { isIn: amount > 0n })

/** The order, refund or withdrawal named by a reference; internal references mean nothing to the reader. */
const parseReference = (ref: string) => /[RW]?\d{8}-[0-9A-Z]{12}/.exec(ref)?.[0] ?? ''
