import { textBounds, mostInput, windowOf } from '../../hot/bounds/bounds.ts'
import { NO_ASKS } from '../../hot/dialects/asks.ts'
import type { Dialect } from '../../hot/deps.ts'
import { amountOf, linesFor, pricedUsage, worstCost } from '../../hot/settlement/pricing.ts'
import { totalCached, totalInput, totalOutput } from '../../hot/usage/usage.ts'
import type { Usage } from '../../hot/usage/usage.ts'
import type { ModelWithPrice } from '../../catalogue/data.ts'
import { pricesOf } from '../../catalogue/price-classes.ts'
import type { Most, TestBill, TestCallRow } from './data.ts'
import { ANSWER_TOKENS, smallCall } from './small-call.ts'

const BASIS_POINTS = 10_000n
/** The upstream's price: its share of the list price, rounded up to whole nano-dollars. */
const shareOf = (list: bigint, costBp: number): bigint => (list * BigInt(costBp) + BASIS_POINTS - 1n) / BASIS_POINTS

type Asked = Pick<TestCallRow, 'dialect' | 'upstream_model' | 'cost_bp'>

/** Maximum that the vendor can bill for it. */
export function mostOf(model: ModelWithPrice, row: Asked): Most {
  const { body } = smallCall(row.dialect as Dialect, row.upstream_model)
  const input = mostInput(textBounds(Buffer.from(body)), windowOf({ contextTokens: model.context_tokens ?? undefined }))
  const output = model.kind === 'embedding' ? 0 : ANSWER_TOKENS
  return { input, output, cost: shareOf(worstCost(pricesOf(model.version, model), { input, output }, NO_ASKS), row.cost_bp) }
}

/** Bill from the vendor's usage; the maximum if the usage has a member without a price. */
export function billOf(model: ModelWithPrice, row: Asked, usage: Usage, most: Most): TestBill {
  const prices = pricesOf(model.version, model)
  const told = shareOf(amountOf(linesFor(prices, usage, () => undefined)), row.cost_bp)
  const isWhole = pricedUsage(prices, usage).unknown === undefined
  const tokens = { input: totalInput(usage), cached: totalCached(usage), output: totalOutput(usage) }
  return { ...tokens, cost: isWhole || told > most.cost ? told : most.cost }
}

/** Bill when the vendor's usage is unknown. */
export const billAtMost = ({ input, output, cost }: { input: number | bigint; output: number | bigint; cost: bigint }): TestBill => ({
  input,
  cached: 0,
  output,
  cost,
})
