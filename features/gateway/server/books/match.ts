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
  our_calls: bigint
  our_input: bigint
  our_cached: bigint
  our_output: bigint
  our_charge: bigint
  estimated_calls: bigint
  their_calls: bigint | null
  their_input: bigint | null
  their_cached: bigint | null
  their_output: bigint | null
  their_cost: bigint | null
}

const addNullable = (a: bigint | null, b: bigint | undefined) => (b === undefined ? a : addNano(a ?? 0n, b))

/** One row per model on either side. `reported` undefined: the vendor did not respond, so its columns stay empty. */
export function matchVendorBook(
  vendor: string,
  ours: readonly OurUse[],
  reported: readonly ReportedUse[] | undefined,
  catalogue: ReadonlySet<string>,
): BookRow[] {
  const rows = new Map<string, MutableBookRow>()
  const of = (model: string): MutableBookRow => {
    const known = rows.get(model)
    if (known) return known
    const none = { our_calls: 0n, our_input: 0n, our_cached: 0n, our_output: 0n, our_charge: 0n, estimated_calls: 0n }
    const row: MutableBookRow = { vendor, model, ...none, their_calls: null, their_input: null, their_cached: null, their_output: null, their_cost: null }
    rows.set(model, row)
    return row
  }
  for (const use of ours) {
    const row = of(use.model)
    row.our_calls += use.calls
    row.our_input += use.input
    row.our_cached += use.cached
    row.our_output += use.output
    row.our_charge = addNano(row.our_charge, use.charge)
    row.estimated_calls += use.estimated
  }
  const names = new Set([...catalogue, ...rows.keys()])
  for (const use of reported ?? []) {
    const row = of(resolveOwnModelId(use.model, names))
    row.their_calls = addNullable(row.their_calls, use.calls)
    row.their_input = addNullable(row.their_input, use.input)
    row.their_cached = addNullable(row.their_cached, use.cached)
    row.their_output = addNullable(row.their_output, use.output)
    row.their_cost = addNullable(row.their_cost, use.cost)
  }
  // A report that does not name a model means zero use of it; one that names it without tokens leaves its tokens unknown.
  const told = new Set(reported?.map((use) => resolveOwnModelId(use.model, names)))
  if (reported)
    for (const row of rows.values()) {
      if (!told.has(row.model)) {
        row.their_input = 0n
        row.their_output = 0n
      }
      if (reported.some((use) => use.cost !== undefined)) row.their_cost ??= 0n
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
  const margin = row.their_cost === null ? undefined : subtractNano(row.our_charge, row.their_cost)
  if (row.their_input === null || row.their_output === null) return { tokenDrift: undefined, driftShare: undefined, margin }
  const theirs = row.their_input + row.their_output
  const ours = row.our_input + row.our_output
  const tokenDrift = theirs - ours
  return { tokenDrift, driftShare: computeShareMillionths(tokenDrift < 0n ? -tokenDrift : tokenDrift, theirs > 0n ? theirs : ours), margin }
}
