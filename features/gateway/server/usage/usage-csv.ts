import type { Ctx, Handler } from '#platform/server/feature.ts'
import { BOM, formatCsvLine } from '#platform/server/csv.ts'
import { fail } from '#platform/shared/errors.ts'
import { addNano, formatUsd } from '#platform/shared/money.ts'
import { fill, type TextKeyOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { usageContract } from '../../contract-usage.ts'
import { gatewayTexts } from '../../texts.ts'
import { toCallFilter, findMeasured } from './list-calls.ts'
import { selectCall } from './data-calls.ts'
import type { CallDbRow, CallFilter, Cursor } from './data-calls.ts'
import { streamCallPages } from './search-calls.ts'
import { maskKeySecret } from '../keys/secret.ts'
import { CALL_OUTCOME_TEXT, CALL_PROVENANCE_TEXT, GATEWAY_MEASURED_TEXT } from '../../state-texts.ts'

const PAGE = 1000
/** Limit on concurrent exports per user and process. */
const MAX_PARALLEL_EXPORTS = 2
const runningExports = new Map<string, number>()

/**
 * Streams the export page by page as the reader consumes it: no row is kept, and no connection or snapshot is held between two pages. Calls
 * that end after the export began are not included.
 */
export const usageCsv: Handler<(typeof usageContract)['usageCsv']> = async (ctx, input) => {
  if ((runningExports.get(ctx.userId) ?? 0) >= MAX_PARALLEL_EXPORTS) fail('EXPORT_BUSY')
  const now = ctx.clock.now()
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const filter = toCallFilter(accountId, input, now)
  const behind = input.after ? ((await selectCall(ctx.db, accountId, input.after)) ?? fail('CALL_NOT_FOUND')) : undefined
  const before = filter.before && filter.before < now ? filter.before : now
  return {
    type: 'text/csv; charset=utf-8',
    filename: `usage-${input.from ?? 'begin'}-${input.to ?? toShanghaiDay(now)}.csv`,
    body: trackRunning(
      ctx.userId,
      streamLines(ctx, { ...filter, before }, { behind: behind && { at: behind.startedAt, callId: behind.callId }, lang: input.lang ?? ctx.lang }),
    ),
  }
}

async function* trackRunning(userId: string, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  runningExports.set(userId, (runningExports.get(userId) ?? 0) + 1)
  try {
    yield* lines
  } finally {
    const left = (runningExports.get(userId) ?? 1) - 1
    if (left > 0) runningExports.set(userId, left)
    else runningExports.delete(userId)
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
} as const satisfies Record<(typeof COLUMNS)[number], TextKeyOf<typeof gatewayTexts>>

async function* streamLines(
  { db }: Ctx,
  filter: CallFilter,
  { behind, lang }: { readonly behind: Cursor | undefined; readonly lang: Lang },
): AsyncGenerator<string> {
  const t = gatewayTexts[lang]
  if (!behind) yield BOM + formatCsvLine(COLUMNS.map((column) => t[COLUMN_TEXT[column]]))
  let count = 0
  let amount = 0n
  for await (const rows of streamCallPages(db, filter, { cursor: behind, direction: 'newer', size: PAGE })) {
    let page = ''
    for (const row of rows) {
      page += formatCsvLine(toCells(row, lang))
      count++
      amount = addNano(amount, row.amount)
    }
    yield page
  }
  yield formatCsvLine([fill(t.csv_end, { count }), ...Array.from({ length: COLUMNS.indexOf('amount') - 1 }, () => ''), formatUsd(amount)])
}

function toCells(row: CallDbRow, lang: Lang): string[] {
  const t = gatewayTexts[lang]
  const measured = findMeasured(row.lines)
  return [
    toShanghaiTime(row.startedAt),
    row.callId,
    row.model,
    row.keyName,
    maskKeySecret(row.last4),
    String(row.status),
    row.outcome === 'upstream_failed' && row.amount > 0n ? t.out_upstream_failed_paid : t[CALL_OUTCOME_TEXT[row.outcome]],
    String(row.inputTokens),
    String(row.cachedTokens),
    String(row.outputTokens),
    String(row.reasoningTokens),
    measured ? fill(t[GATEWAY_MEASURED_TEXT[measured.kind]], { count: measured.count }) : '',
    formatUsd(row.amount),
    t[CALL_PROVENANCE_TEXT[row.provenance]],
    String(row.firstByteMs),
    String(row.totalMs),
    row.requestId,
    row.askedModel,
  ]
}
