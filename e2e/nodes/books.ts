import type { Db } from '#platform/server/database/db.ts'
import { sumNano, computeTokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import type { NodesStage } from './stage.ts'

export interface SandboxBookEntry {
  readonly requestId: string
  readonly callId: string
  readonly status: string
  readonly model: string
  readonly startedAt: number
  /** Null while the call runs. */
  readonly endedAt: number | null
  readonly billed: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number }
}
interface Row {
  readonly callId: string
  readonly amount: Nano
  readonly status: number
  readonly outcome: string
  readonly provenance: string
}

/** Both books, call by call. The vendor's side is priced independently, from its own token counts. */
export interface ComparedBooks {
  /** The vendor's bill by our call id; calls billed at zero are absent. */
  readonly vendor: ReadonlyMap<string, Nano>
  /** Every call that reached the vendor. */
  readonly dialled: ReadonlySet<string>
  readonly rows: ReadonlyMap<string, Row>
}

/**
 * Waits until no call is open, nothing is unposted and no dead node holds a lease; then reads both books. `known`: entries of the vendor's book read
 * earlier, for runs that outlast its memory.
 */
export async function readSettledBooks(
  { db, outside }: NodesStage,
  timeoutMs = 3 * PATIENCE_MS,
  known = new Map<string, SandboxBookEntry>(),
): Promise<ComparedBooks> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const [rest] = await db.query<{ open: number; unposted: number; dead: number }>(`select
      (select count(*)::int from gateway_calls) as open, (select count(*)::int from gateway_unposted) as unposted,
      (select count(*)::int from gateway_leases l where not exists (select from gateway_nodes n where n.node = l.node and n.beat_at > now() - interval '3 seconds')) as dead`)
    if (!rest!.open && !rest!.unposted && !rest!.dead) break
    if (Date.now() > until) throw new Error(`not at rest: ${JSON.stringify(rest)}`)
    await new Promise((done) => setTimeout(done, 200))
  }
  await readSandboxBook(outside.baseUrl, known)
  const entries = [...known.values()]
  const running = entries.filter((entry) => entry.status === 'running')
  if (running.length) throw new Error(`${running.length} calls still run at the vendor`)
  const prices = await selectPrices(db)
  const vendor = new Map<string, Nano>()
  for (const entry of entries) {
    const price = prices.get(entry.model)!
    const { input, cached, output, reasoning } = entry.billed
    const amount = sumNano([
      computeTokenCost(input - cached, price.input),
      computeTokenCost(cached, price.cached),
      computeTokenCost(output - reasoning, price.output),
      computeTokenCost(reasoning, price.output),
    ])
    if (amount) vendor.set(entry.callId, sumNano([vendor.get(entry.callId) ?? 0n, amount]))
  }
  const rows = await db.query<Row>('select call_id, amount, status, outcome, provenance from gateway_usage')
  return { vendor, dialled: new Set(entries.map((entry) => entry.callId)), rows: new Map(rows.map((row) => [row.callId, row])) }
}

/** Adds the requests from `since` on that the vendor still remembers (50,000), by request. */
export async function readSandboxBook(base: string, known: Map<string, SandboxBookEntry>, since = 0): Promise<void> {
  for (let from = since; ;) {
    const reply = await fetch(`${base}/sandbox/upstream/book?since=${from}&limit=50000`, { headers: { authorization: 'Bearer sandbox' } })
    const { entries } = (await reply.json()) as { entries: SandboxBookEntry[] }
    const before = known.size
    for (const entry of entries) known.set(entry.requestId, entry)
    if (entries.length < 50_000 || known.size === before) return
    from = entries.at(-1)!.startedAt
  }
}

async function selectPrices(db: Db): Promise<Map<string, { input: Nano; cached: Nano; output: Nano }>> {
  const rows = await db.query<{ modelId: string; classes: string[] }>(
    'select distinct on (model_id) model_id, classes from gateway_prices_kept where valid_from <= now() order by model_id, valid_from desc, version desc',
  )
  return new Map(
    rows.map(({ modelId: id, classes }) => [id, { input: BigInt(classes[0]!), cached: BigInt(classes[1] ?? classes[0]!), output: BigInt(classes[4]!) }]),
  )
}

/** Figures of the wallet, to compare with WALLET_AT_REST when everything has settled and no node runs. */
export async function readWalletFigures(db: Db): Promise<object> {
  const [row] = await db.query<Record<string, unknown>>(`select
    (select count(*)::int from wallet_holds where status = 'pending') as holds,
    (select count(*)::int from wallet_accounts where kind = 'customer' and (posted < 0 or held <> 0 or posted < held)) as bad_balances,
    (select count(*)::int from wallet_accounts where kind = 'receivable' and posted <> 0) as debts,
    (select count(*)::int from gateway_leases) as leases, (select count(*)::int from gateway_dead_letters) as dead_letters,
    (select coalesce(sum(spent), 0) from wallet_accounts where kind = 'customer') = (select coalesce(sum(amount), 0) from gateway_usage) as ledger_equals_rows,
    (select coalesce(sum(amount), 0) from (select amount from gateway_usage_days union all select amount from gateway_unsummed) s) = (select coalesce(sum(amount), 0) from gateway_usage) as days_equal_rows`)
  return row!
}

export const WALLET_AT_REST = { holds: 0, badBalances: 0, debts: 0, leases: 0, deadLetters: 0, ledgerEqualsRows: true, daysEqualRows: true }
