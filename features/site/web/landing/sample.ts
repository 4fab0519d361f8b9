import type { ModelRow } from '#features/gateway/contract.ts'
import { CHAT_VENDORS } from '#features/gateway/web/door.ts'
import { parseUsd, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import { sumUsd } from '#platform/web/money.tsx'
import { listCurrentModels, countPlaces } from '../price-figures.ts'

/**
 * Invented calls, one per vendor, priced with the real rows and billing code. The first number selects one of the vendor's current models.
 */
const CALL_SETS = [
  [
    [1, 4200, 1300],
    [2, 6000, 980],
    [1, 2840, 560],
  ],
  [
    [3, 12_400, 2200],
    [1, 9600, 1840],
    [0, 3200, 1400],
  ],
  [
    [5, 1800, 640],
    [3, 15_200, 3000],
    [3, 8800, 1200],
  ],
] as const
export const SAMPLE_SETS = CALL_SETS.length

export interface SampleLine {
  readonly row: ModelRow
  readonly input: number
  readonly output: number
  readonly amount: string
}
export interface SampleReceipt {
  readonly lines: readonly SampleLine[]
  readonly total: string
  /** Decimal places in which lines and total are exact. */
  readonly places: number
}

/** A receipt of one call per vendor that adds up to the last place shown. */
export function buildSampleReceipt(rows: readonly ModelRow[], set: number): SampleReceipt {
  const lines = CALL_SETS[set % CALL_SETS.length]!.flatMap(([at, input, output], turn): SampleLine[] => {
    const models = listCurrentModels(rows, CHAT_VENDORS[turn]?.id ?? '')
    const row = models[at % Math.max(1, models.length)]
    return row ? [{ row, input, output, amount: computeCallCost(row, input, output) }] : []
  })
  const total = sumUsd(lines.map((line) => line.amount))
  return { lines, total, places: countPlaces(lines.map((line) => line.amount)) }
}

/** Cost of a call in dollars; each line is rounded up to the nano-dollar, as in bills. */
export function computeCallCost(row: ModelRow, input: number, output: number): string {
  const { usd: prices } = row.prices
  return sumUsd([formatUsd(computeTokenCost(input, parseUsd(prices.input))), formatUsd(computeTokenCost(output, parseUsd(prices.output)))])
}
