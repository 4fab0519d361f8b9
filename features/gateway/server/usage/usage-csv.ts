import type { Ctx, Handler } from '#platform/server/feature.ts'
import { BOM, csvLine } from '#platform/server/csv.ts'
import { fail } from '#platform/shared/errors.ts'
import { plus, usd } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { gatewayTexts } from '../../texts.ts'
import { filterOf } from './call-filter.ts'
import { oneCall } from './data-calls.ts'
import type { CallDbRow, CallFilter, Cursor } from './data-calls.ts'
import { pagesOfCalls } from './search-calls.ts'
import { masked } from '../keys/secret.ts'
import { measuredIn } from './list-calls.ts'
import { CALL_OUTCOME_TEXT, CALL_PROVENANCE_TEXT, GATEWAY_MEASURED_TEXT } from '../../state-texts.ts'

const PAGE = 1000
/** Files that one user may draw at once from one process. */
const AT_ONCE = 2
const drawn = new Map<string, number>()

/**
 * Written page by page as the reader takes it: no row is kept, and no connection or snapshot is held between two pages. What
 * ends later than the file was begun is not in it.
 */
export const usageCsv: Handler<(typeof usageContract)['usageCsv']> = async (ctx, input) => {
  if ((drawn.get(ctx.userId) ?? 0) >= AT_ONCE) fail('EXPORT_BUSY')
  const now = ctx.clock.now()
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, 'customer')
  const filter = filterOf(accountId, input, now)
  const behind = input.after ? ((await oneCall(ctx.db, accountId, input.after)) ?? fail('CALL_NOT_FOUND')) : undefined
  const before = filter.before && filter.before < now ? filter.before : now
  return {
    type: 'text/csv; charset=utf-8',
    filename: `usage-${input.from ?? 'begin'}-${input.to ?? shanghaiDay(now)}.csv`,
    body: counted(ctx.userId, linesOf(ctx, { ...filter, before }, behind && { at: behind.started_at, callId: behind.call_id }, input.lang ?? ctx.lang)),
  }
}

async function* counted(userId: string, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  drawn.set(userId, (drawn.get(userId) ?? 0) + 1)
  try {
    yield* lines
  } finally {
    const left = (drawn.get(userId) ?? 1) - 1
    if (left > 0) drawn.set(userId, left)
    else drawn.delete(userId)
  }
}

const COLUMNS = [
  'time',
  'callId',
  'model',
  'keyName',
  'key',
  'status',
  'outcome',
  'input',
  'cached',
  'output',
  'reasoning',
  'measured',
  'amount',
  'provenance',
  'firstByte',
  'total',
  'requestId',
  'asked',
] as const

const COLUMN_TEXT = {
  time: 'csv_time',
  callId: 'csv_callId',
  model: 'csv_model',
  keyName: 'csv_keyName',
  key: 'csv_key',
  status: 'csv_status',
  outcome: 'csv_outcome',
  input: 'csv_input',
  cached: 'csv_cached',
  output: 'csv_output',
  reasoning: 'csv_reasoning',
  measured: 'csv_measured',
  amount: 'csv_amount',
  provenance: 'csv_provenance',
  firstByte: 'csv_firstByte',
  total: 'csv_total',
  requestId: 'csv_requestId',
  asked: 'csv_asked',
} as const satisfies Record<(typeof COLUMNS)[number], keyof typeof gatewayTexts.zh>

async function* linesOf({ db }: Ctx, filter: CallFilter, behind: Cursor | undefined, lang: Lang): AsyncGenerator<string> {
  const t = gatewayTexts[lang]
  if (!behind) yield BOM + csvLine(COLUMNS.map((column) => t[COLUMN_TEXT[column]]))
  let count = 0
  let amount = 0n
  for await (const rows of pagesOfCalls(db, filter, behind, 'newer', PAGE)) {
    let page = ''
    for (const row of rows) {
      page += csvLine(cellsOf(row, lang))
      count++
      amount = plus(amount, row.amount)
    }
    yield page
  }
  yield csvLine([fill(t.csv_end, { count }), ...Array.from({ length: COLUMNS.indexOf('amount') - 1 }, () => ''), usd(amount)])
}

function cellsOf(row: CallDbRow, lang: Lang): string[] {
  const t = gatewayTexts[lang]
  const measured = measuredIn(row.lines)
  return [
    shanghaiTime(row.started_at),
    row.call_id,
    row.model,
    row.key_name,
    masked(row.last4),
    String(row.status),
    row.outcome === 'upstream_failed' && row.amount > 0n ? t.out_upstream_failed_paid : t[CALL_OUTCOME_TEXT[row.outcome]],
    String(row.input_tokens),
    String(row.cached_tokens),
    String(row.output_tokens),
    String(row.reasoning_tokens),
    measured ? fill(t[GATEWAY_MEASURED_TEXT[measured.kind]], { count: measured.count }) : '',
    usd(row.amount),
    t[CALL_PROVENANCE_TEXT[row.provenance]],
    String(row.first_byte_ms),
    String(row.total_ms),
    row.request_id,
    row.asked_model,
  ]
}
