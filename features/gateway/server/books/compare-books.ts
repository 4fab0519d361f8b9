import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { subtractNano, addNano, sumNano } from '#platform/shared/money.ts'
import { sumCaptured, sumRefunded, sumMovements } from '#features/wallet/server/door.ts'
import type { MovementSum } from '#features/wallet/server/door.ts'
import { judgeBookRow, matchVendorBook } from './match.ts'
import { selectBook, saveBook, saveBookDay, setRepeatableRead, selectOurUse, selectAllTimeSums, selectEarlierReport } from './data.ts'
import type { OurUse, BookDay, BookRow, StoredBookRow } from './data.ts'
import { selectCurrentModels } from '../catalogue/data.ts'
import { bookDriftMillionths, bookDriftTokens } from '../settings.ts'
import { createUpstreams } from '../upstreams/upstreams.ts'
import type { Upstreams } from '../upstreams/upstreams.ts'
import { readGatewayConfig } from '../config.ts'
import { vendors } from '../vendors/index.ts'
import type { ModelVendor } from '../vendors/port.ts'
import type { ReportedUse } from '../vendors/report-port.ts'

/** A vendor's book and the upstreams whose calls belong to it. */
interface VendorBook {
  readonly name: string
  readonly ours: readonly OurUse[]
  /** undefined if the book has no report or the vendor did not respond */
  readonly reported: readonly ReportedUse[] | undefined
  /** True if the vendor should have responded and did not. */
  readonly isUnread: boolean
}

/**
 * Groups our use by book: upstreams at a vendor's own address share the vendor's report; an upstream at another address (a reseller)
 * has its own book without a report. Configured vendors are queried even if we have no calls: use that only they report is the worst
 * drift.
 */
async function readReports(
  deps: Pick<Deps, 'config' | 'log' | 'clock'>,
  upstreams: Upstreams,
  { used, day, send = fetch }: { readonly used: readonly OurUse[]; readonly day: string; readonly send?: typeof fetch },
): Promise<VendorBook[]> {
  const config = readGatewayConfig(deps.config)
  const text = (name: string) => {
    const value = config[name]
    return typeof value === 'string' && value ? value : undefined
  }
  const ours = new Map<string, OurUse[]>()
  for (const use of used) {
    const name = resolveBookName(upstreams, use.upstream)
    const uses = ours.get(name)
    if (uses) uses.push(use)
    else ours.set(name, [use])
  }
  const asked = vendors.filter(({ id, report }) => report && (report.needs.length ? report.needs.every(text) : ours.has(id)))
  const names = [...new Set([...ours.keys(), ...asked.map((vendor) => vendor.id)])].toSorted()
  return Promise.all(
    names.map(async (name): Promise<VendorBook> => {
      const vendor = asked.find((one) => one.id === name)
      const book = { name, ours: ours.get(name) ?? [] }
      if (!vendor?.report) return { ...book, reported: undefined, isUnread: false }
      const server = upstreams.vendorOf(vendor.id)
      try {
        const question = { send, config: text, day, now: deps.clock.now(), baseUrl: server?.baseUrl ?? vendor.baseUrl, key: server?.key ?? '' }
        return { ...book, reported: await vendor.report.read(question), isUnread: false }
      } catch (error) {
        deps.log.error({ err: error, vendor: name, day }, 'a vendor’s report could not be read')
        return { ...book, reported: undefined, isUnread: true }
      }
    }),
  )
}

function resolveBookName(upstreams: Upstreams, upstream: string): string {
  const server = upstreams.vendorOf(upstream)
  if (!server || server.vendor.id === upstream) return upstream
  const home: ModelVendor = server.vendor
  return new URL(server.baseUrl).host === new URL(upstreams.vendorOf(home.id)?.baseUrl ?? home.baseUrl).host ? home.id : upstream
}

const DAY_MS = 86_400_000
const USAGE_KIND = 'gateway.usage'
/** Transaction kind of a correction: the refund after a later figure. */
const CORRECTION_KIND = 'gateway.correction'
/** Transaction kind of our own test calls. Vendors bill them like any other call. */
const TEST_KIND = 'gateway.test'
type CompareDeps = Pick<Deps, 'db' | 'config' | 'log' | 'clock' | 'publicUrl' | 'settings' | 'secretKeys'>

export interface BookComparison {
  readonly total: BookDay
  readonly rows: readonly StoredBookRow[]
}

/**
 * Compares a UTC day in three books: the charges of our rows, the postings of the ledger and the bills that vendors report; adds the
 * payments of the day. Idempotent, except that a rerun takes in vendors' corrections. Alarms: `gateway.ledger_drift` when sums and ledger
 * differ by a nano-dollar, `gateway.book_drift` when a vendor counts other tokens than we beyond the setting, `gateway.margin_negative`
 * when a model cost more than it brought, `gateway.report_unread` when a configured vendor did not answer.
 */
export async function compareVendorBooks(
  deps: CompareDeps,
  day: string,
  { actor = SYSTEM, send }: { readonly actor?: Actor; readonly send?: typeof fetch } = {},
): Promise<BookComparison> {
  const { db, log } = deps
  const from = new Date(`${day}T00:00:00Z`)
  const before = new Date(from.getTime() + DAY_MS)
  const upstreams = createUpstreams(deps)
  const books = await (async () => {
    await upstreams.reload(db, false)
    return readReports(deps, upstreams, { used: await selectOurUse(db, from, before), day, send })
  })().finally(() => upstreams.stop())
  const catalogue = new Set((await selectCurrentModels(db)).map((model) => model.modelId))
  const limits = { share: await deps.settings.get(bookDriftMillionths), tokens: await deps.settings.get(bookDriftTokens) }
  const result = await transact(db, actor, async (tx) => {
    await setRepeatableRead(tx)
    const rows = await buildRows(tx, day, { books, catalogue })
    await saveBook(tx, day, rows)
    const alarms = rows.flatMap((row) => listAlarms(row, limits))
    const total = await readDayTotal(tx, day, { from, before, books, rows, alarms })
    await saveBookDay(tx, total)
    await tx.audit('books.compared', `day:${day}`, { alarms: total.alarms, unread: total.unread })
    return { total, rows: await selectBook(tx, day) }
  })
  for (const alarm of result.total.alarms) countEvent(alarm.split(' ')[0]!)
  if (result.total.alarms.length) log.error({ day, alarms: result.total.alarms }, 'books differ')
  return result
}

/** Yesterday, the days that vendors still correct, and a day that Google's export may have finished late. */
export async function compareRecentVendorBooks(deps: CompareDeps): Promise<void> {
  const today = deps.clock.now().getTime()
  for (const ago of [1, 2, 3, 7, 30]) await compareVendorBooks(deps, new Date(today - ago * DAY_MS).toISOString().slice(0, 10))
}

async function buildRows(
  tx: Tx,
  day: string,
  { books, catalogue }: { readonly books: readonly VendorBook[]; readonly catalogue: ReadonlySet<string> },
): Promise<BookRow[]> {
  const rows: BookRow[] = []
  for (const book of books) {
    const told = book.isUnread ? await selectEarlierReport(tx, day, book.name) : []
    const before = told.map((row) => ({
      model: row.model,
      calls: row.theirCalls ?? undefined,
      input: row.theirInput ?? undefined,
      cached: row.theirCached ?? undefined,
      output: row.theirOutput ?? undefined,
      cost: row.theirCost ?? undefined,
    }))
    rows.push(...matchVendorBook(book.name, book.ours, { reported: book.reported ?? (before.length ? before : undefined), catalogue }))
  }
  return rows
}

function listAlarms(row: BookRow, limits: { share: number; tokens: number }): string[] {
  const { tokenDrift, driftShare = 0, margin } = judgeBookRow(row)
  const tokens = Number(tokenDrift ?? 0n)
  return [
    ...(Math.abs(tokens) >= limits.tokens && driftShare > limits.share ? [`gateway.book_drift ${row.vendor} ${row.model}`] : []),
    ...(margin !== undefined && margin < 0n ? [`gateway.margin_negative ${row.vendor} ${row.model}`] : []),
  ]
}

async function readDayTotal(
  tx: Tx,
  day: string,
  {
    from,
    before,
    books,
    rows,
    alarms,
  }: {
    readonly from: Date
    readonly before: Date
    readonly books: readonly VendorBook[]
    readonly rows: readonly BookRow[]
    readonly alarms: readonly string[]
  },
): Promise<BookDay> {
  const moved = await sumMovements(tx, from, before)
  const of = (fits: (movement: MovementSum) => boolean) => sumNano(moved.filter(fits).map((movement) => movement.amount))
  const { sums, unposted } = await selectAllTimeSums(tx)
  // Unposted amounts count as captured: one flush wrote both sides.
  const captured = subtractNano(addNano(await sumCaptured(tx, USAGE_KIND), unposted), await sumRefunded(tx, CORRECTION_KIND))
  const unread = books.filter((book) => book.isUnread).map((book) => book.name)
  return {
    day,
    charged: sumNano(rows.map((row) => row.ourCharge)),
    posted: subtractNano(
      of((movement) => movement.kind === USAGE_KIND || movement.kind === TEST_KIND),
      of((movement) => movement.kind === CORRECTION_KIND),
    ),
    received: of((movement) => movement.from === 'wash' && movement.to !== 'channel_costs'),
    paidBack: of((movement) => movement.to === 'wash' && movement.from !== 'channel_costs'),
    sums,
    captured,
    unread,
    alarms: [...(sums === captured ? [] : ['gateway.ledger_drift']), ...unread.map((name) => `gateway.report_unread ${name}`), ...alarms],
  }
}
