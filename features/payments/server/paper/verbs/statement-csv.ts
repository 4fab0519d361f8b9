import type { Ctx, Handler } from '#platform/server/feature.ts'
import { usd } from '#platform/shared/money.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import { movementTitle, shownKind } from '#features/wallet/contract-movements.ts'
import { statement } from '#features/wallet/server/door.ts'
import type { paperContract } from '../../../contract-paper.ts'
import { BOM, csvLine } from '#platform/server/csv.ts'
import { paperSays } from '../paper-texts.ts'

const PAGE = 500

/** Written page by page as it is read: a statement of years takes no memory. */
export const statementCsv: Handler<typeof paperContract.statementCsv> = async (ctx, { from, to, lang }) => ({
  type: 'text/csv; charset=utf-8',
  filename: `statement-${from ?? 'begin'}-${to ?? shanghaiDay(ctx.clock.now())}.csv`,
  body: linesOf(ctx, from ?? '', to ?? '9999', lang ?? ctx.lang),
})

async function* linesOf(ctx: Ctx, from: string, to: string, lang: Lang): AsyncGenerator<string> {
  const say = paperSays(lang)
  yield BOM + csvLine([say('csv_seq'), say('csv_time'), say('csv_kind'), say('csv_ref'), say('csv_amount'), say('csv_balance')])
  let before: bigint | undefined
  for (;;) {
    const rows = await statement(ctx.db, { userId: ctx.userId, before, limit: PAGE })
    let page = ''
    for (const row of rows) {
      const day = shanghaiDay(row.at)
      if (day >= from && day <= to)
        page += csvLine([String(row.seq), shanghaiTime(row.at), titleIn(lang, row), numberIn(row.ref), usd(row.amount), usd(row.after)])
    }
    if (page) yield page
    const last = rows.at(-1)
    if (!last || rows.length < PAGE || shanghaiDay(last.at) < from) return
    before = last.seq
  }
}

const titleIn = (lang: Lang, { kind, ref, amount }: { kind: string; ref: string; amount: bigint }) => movementTitle(lang, shownKind(kind, ref), amount > 0n)

/** The order, refund or withdrawal that a reference names; our own references say nothing to a reader. */
const numberIn = (ref: string) => /[RW]?\d{8}-[0-9A-Z]{12}/.exec(ref)?.[0] ?? ''
