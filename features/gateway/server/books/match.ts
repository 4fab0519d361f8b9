import { subtractNano, addNano, computeShareMillionths } from '#platform/shared/money.ts'
import type { BookRow, OurUse } from './data.ts'
import type { ReportedUse } from '../vendors/report-port.ts'

/** Our rows and a vendor's report, model by model. */

/** Converts a vendor's model name to our id: "gpt-6-luna-2026-08-07" and "claude-haiku-5-5-20261001" are dated names of undated ids. */
export function resolveOwnModelId(model: string, ours: ReadonlySet<string>): string {
  if (ours.has(model)) return model
  const bare = model.replace(/^models\//, '').replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')
  return ours.has(bare) ? bare : model
}

interface MutableBookRow {
  vendor: string
  model: string
  ourCalls: bigint
  ourInput: bigint
  ourCached: bigint
  ourOutput: bigint
  ourCharge: bigint
  estimatedCalls: bigint
  theirCalls: bigint | null
  theirInput: bigint | null
  theirCached: bigint | null
  theirOutput: bigint | null
  theirCost: bigint | null
}

const addNullable = (a: bigint | null, b: bigint | undefined) => (b === undefined ? a : addNano(a ?? 0n, b))

/** One row per model on either side. `reported` undefined: the vendor did not respond, so its columns stay empty. */
export function matchVendorBook(
  vendor: string,
  ours: readonly OurUse[],
  { reported, catalogue }: { readonly reported: readonly ReportedUse[] | undefined; readonly catalogue: ReadonlySet<string> },
): BookRow[] {
  const rows = new Map<string, MutableBookRow>()
  const of = (model: string): MutableBookRow => {
    const known = rows.get(model)
    if (known) return known
    const none = { ourCalls: 0n, ourInput: 0n, ourCached: 0n, ourOutput: 0n, ourCharge: 0n, estimatedCalls: 0n }
    const row: MutableBookRow = { vendor, model, ...none, theirCalls: null, theirInput: null, theirCached: null, theirOutput: null, theirCost: null }
    rows.set(model, row)
    return row
  }
  for (const use of ours) {
    const row = of(use.model)
    row.ourCalls += use.calls
    row.ourInput += use.input
    row.ourCached += use.cached
    row.ourOutput += use.output
    row.ourCharge = addNano(row.ourCharge, use.charge)
    row.estimatedCalls += use.estimated
  }
  const names = new Set([...catalogue, ...rows.keys()])
  for (const use of reported ?? []) {
    const row = of(resolveOwnModelId(use.model, names))
    row.theirCalls = addNullable(row.theirCalls, use.calls)
    row.theirInput = addNullable(row.theirInput, use.input)
    row.theirCached = addNullable(row.theirCached, use.cached)
    row.theirOutput = addNullable(row.theirOutput, use.output)
    row.theirCost = addNullable(row.theirCost, use.cost)
  }
  // A report that does not name a model means zero use of it; one that names it without tokens leaves its tokens unknown.
  const told = new Set(reported?.map((use) => resolveOwnModelId(use.model, names)))
  if (reported)
    for (const row of rows.values()) {
      if (!told.has(row.model)) {
        row.theirInput = 0n
        row.theirOutput = 0n
      }
      if (reported.some((use) => use.cost !== undefined)) row.theirCost ??= 0n
    }
  return [...rows.values()]
}

export interface BookJudgement {
  /** Tokens that the vendor counts and we do not; negative if we count more. Undefined if the vendor does not report them. */
  readonly tokenDrift: bigint | undefined
  /** In millionths of the vendor's tokens, or of ours if the vendor has none. */
  readonly driftShare: number | undefined
  /** Our charge less the vendor's cost. */
  readonly margin: bigint | undefined
}

export function judgeBookRow(row: BookRow): BookJudgement {
  const margin = row.theirCost === null ? undefined : subtractNano(row.ourCharge, row.theirCost)
  if (row.theirInput === null || row.theirOutput === null) return { tokenDrift: undefined, driftShare: undefined, margin }
  const theirs = row.theirInput + row.theirOutput
  const ours = row.ourInput + row.ourOutput
  const tokenDrift = theirs - ours
  return { tokenDrift, driftShare: computeShareMillionths(tokenDrift < 0n ? -tokenDrift : tokenDrift, theirs > 0n ? theirs : ours), margin }
}
