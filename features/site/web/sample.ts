import { parseUsd, percentFee, tokenCost, usd } from '#platform/shared/money.ts'
import { sumUsd } from '#platform/web/money.tsx'

/** The receipt in the hero: invented calls at real list prices, computed by the code that computes bills. */
export const SAMPLE_DAY = '2026-11-20'

const calls = [
  { vendor: 'openai', model: 'gpt-6.2-sol', input: 4210, output: 1308, inputPrice: '2.00', outputPrice: '10.00' },
  { vendor: 'anthropic', model: 'claude-sonnet-5-5', input: 6005, output: 989, inputPrice: '2.00', outputPrice: '10.00' },
  { vendor: 'google', model: 'gemini-3.8-flash', input: 2840, output: 552, inputPrice: '0.75', outputPrice: '3.75' },
] as const

export const sampleLines = calls.map((call) => ({
  ...call,
  amount: sumUsd([usd(tokenCost(call.input, parseUsd(call.inputPrice))), usd(tokenCost(call.output, parseUsd(call.outputPrice)))]),
}))
export const sampleTotal = sumUsd(sampleLines.map((line) => line.amount))

/** Facts of the default settings (decisions, "Money"), said on the landing page. */
export const FEE_PERCENT = '3.5'
export const MIN_RECHARGE = '5'
export const MAX_RECHARGE = '400'

const amount = '20'
const fee = usd(percentFee(parseUsd(amount), FEE_PERCENT))
export const feeExample = { amount, fee, total: sumUsd([amount, fee]) }
