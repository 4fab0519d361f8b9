import type { Db } from '#platform/server/database/db.ts'
import { sumNano, computeTokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { readSandboxBook } from '../../nodes/books.ts'
import type { SandboxBookEntry } from '../../nodes/books.ts'

/** A request whose charge is not what its vendor bills. */
export interface ChargeMismatch {
  readonly requestId: string
  readonly billed: Nano
  /** Undefined where no row names the request. */
  readonly charged: Nano | undefined
  readonly row: string
}

interface Row {
  readonly call_id: string
  readonly model: string
  readonly tokens: number
  readonly upstream_request_id: string
  readonly amount: Nano
  readonly outcome: string
  readonly provenance: string
  readonly open: boolean
}

/** Both books to the nano-dollar: the vendor's own tokens at the prices of today, by request, and what our rows charge; unsettled provisional charges count as mismatches. */
export async function compareCharges(db: Db, vendor: string): Promise<readonly ChargeMismatch[]> {
  const entries = new Map<string, SandboxBookEntry>()
  await readSandboxBook(vendor, entries)
  const running = [...entries.values()].filter(({ status }) => status === 'running')
  if (running.length) throw new Error(`${running.length} calls still run at the vendor`)
  const prices = await selectPrices(db)
  const rows = await db.query<Row>(
    `select u.call_id, u.model, (u.input_tokens + u.output_tokens)::int as tokens, u.upstream_request_id, u.amount, u.outcome, u.provenance, s.call_id is not null as open
     from gateway_usage u left join gateway_swept s on s.account_id = u.account_id and s.call_id = u.call_id and s.basis = 'hold' and s.resolved_at is null`,
  )
  const byId = new Map<string, Row>()
  for (const row of rows) byId.set(row.call_id, row).set(row.upstream_request_id, row)
  const found: ChargeMismatch[] = []
  const spoken: SandboxBookEntry[] = []
  for (const [requestId, entry] of entries) {
    const row = byId.get(requestId) ?? byId.get(entry.callId)
    if (SPOKEN_MODELS.test(entry.model)) {
      spoken.push(entry)
      continue
    }
    const billed = costOf(entry, prices)
    if ((row?.amount ?? 0n) !== billed) found.push({ requestId, billed, charged: row?.amount, row: row ? `${row.outcome} ${row.provenance}` : 'no row' })
  }
  found.push(...findSpokenMismatches(spoken, rows))
  for (const row of rows) if (row.open) found.push({ requestId: row.call_id, billed: 0n, charged: row.amount, row: 'provisional' })
  return found
}

/** Responses of spoken sessions share their session's request id and have prices by modality: their tokens are compared. */
const SPOKEN_MODELS = /realtime/
function findSpokenMismatches(entries: readonly SandboxBookEntry[], rows: readonly Row[]): ChargeMismatch[] {
  const theirs = entries
    .map(({ billed }) => billed.input + billed.output)
    .filter((tokens) => tokens > 0)
    .toSorted((a, b) => a - b)
  const ours = rows
    .filter(({ model, tokens }) => SPOKEN_MODELS.test(model) && tokens > 0)
    .map(({ tokens }) => tokens)
    .toSorted((a, b) => a - b)
  return theirs.join() === ours.join()
    ? []
    : [{ requestId: 'spoken', billed: BigInt(theirs.length), charged: BigInt(ours.length), row: `${theirs.join()} / ${ours.join()}` }]
}

type PricesByModel = ReadonlyMap<string, { readonly input: Nano; readonly cached: Nano; readonly output: Nano }>

function costOf({ model, billed: { input, cached, output, reasoning } }: SandboxBookEntry, prices: PricesByModel): Nano {
  const price = prices.get(model)!
  return sumNano([
    computeTokenCost(input - cached, price.input),
    computeTokenCost(cached, price.cached),
    computeTokenCost(output - reasoning, price.output),
    computeTokenCost(reasoning, price.output),
  ])
}

async function selectPrices(db: Db): Promise<PricesByModel> {
  const rows = await db.query<{ model_id: string; classes: string[] }>(
    'select distinct on (model_id) model_id, classes from gateway_prices_kept where valid_from <= now() order by model_id, valid_from desc, version desc',
  )
  return new Map(
    rows.map(({ model_id: id, classes }) => [id, { input: BigInt(classes[0]!), cached: BigInt(classes[1] ?? classes[0]!), output: BigInt(classes[4]!) }]),
  )
}
