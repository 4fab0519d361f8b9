import { createTextBounds, computeMaxInput, getModelWindow } from '../../hot/bounds/bounds.ts'
import { NO_BILLABLE_OPTIONS } from '../../hot/dialects/billable-options.ts'
import type { Dialect } from '../../hot/deps.ts'
import { sumUsageLines, buildUsageLines, markUnpricedUsage, computeMaxCost } from '../../hot/settlement/pricing.ts'
import { sumCached, sumInput, sumOutput } from '../../hot/usage/usage.ts'
import type { Usage } from '../../hot/usage/usage.ts'
import type { ModelWithPrice } from '../../catalogue/data.ts'
import { toCallPrices } from '../../catalogue/price-classes.ts'
import type { TestCostBound, TestBill, TestCallRow } from './data.ts'
import { MAX_ANSWER_TOKENS, buildSmallCall } from './small-call.ts'

const BASIS_POINTS = 10_000n
/** The upstream's price: its share of the list price, rounded up to whole nano-dollars. */
const applyCostShare = (list: bigint, costBp: number): bigint => (list * BigInt(costBp) + BASIS_POINTS - 1n) / BASIS_POINTS

type TestCallTarget = Pick<TestCallRow, 'dialect' | 'upstreamModel' | 'costBp'>

/** Maximum that the vendor can bill for it. */
export function boundTestCost(model: ModelWithPrice, row: TestCallTarget): TestCostBound {
  const { body } = buildSmallCall(row.dialect as Dialect, row.upstreamModel)
  const input = computeMaxInput(createTextBounds(Buffer.from(body)), getModelWindow({ contextTokens: model.contextTokens ?? undefined }))
  const output = model.kind === 'embedding' ? 0 : MAX_ANSWER_TOKENS
  return { input, output, cost: applyCostShare(computeMaxCost(toCallPrices(model.version, model), { input, output }, NO_BILLABLE_OPTIONS), row.costBp) }
}

/** Bill from the vendor's usage; the maximum if the usage has a member without a price. */
export function computeTestBill(
  model: ModelWithPrice,
  row: TestCallTarget,
  { usage, most }: { readonly usage: Usage; readonly most: TestCostBound },
): TestBill {
  const prices = toCallPrices(model.version, model)
  const told = applyCostShare(sumUsageLines(buildUsageLines(prices, usage, () => undefined)), row.costBp)
  const isWhole = markUnpricedUsage(prices, usage).unknown === undefined
  const tokens = { input: sumInput(usage), cached: sumCached(usage), output: sumOutput(usage) }
  return { ...tokens, cost: isWhole || told > most.cost ? told : most.cost }
}

/** Bill when the vendor's usage is unknown. */
export const computeMaximumBill = ({ input, output, cost }: { input: number | bigint; output: number | bigint; cost: bigint }): TestBill => ({
  input,
  cached: 0,
  output,
  cost,
})
