import type { GatewayCall } from '../call.ts'
import type { Factor, HotDeps, GatewayModel, ModelPrices } from '../deps.ts'
import type { BillableOptions } from '../dialects/billable-options.ts'
import { FACTOR_ONE, markUnpricedUsage } from './pricing.ts'
import type { Usage } from '../usage/usage.ts'
import type { FieldProblem } from '../problem.ts'

const FIELDS = {
  flex: 'service_tier',
  priority: 'service_tier',
  fast: 'speed',
  us: 'inference_geo',
} as const

/** Describes the first part of a request that has no price for this model; undefined if all parts are sold. */
export function findUnsoldOption(deps: Pick<HotDeps, 'findModel'>, model: GatewayModel, asks: BillableOptions): FieldProblem | undefined {
  const { prices } = model
  for (const name of asks.factors)
    if (prices.factors?.[name] === undefined)
      return { field: FIELDS[name], message: `\`${FIELDS[name]}: ${name}\` is not sold for \`${model.id}\`. Leave \`${FIELDS[name]}\` out.` }
  if (asks.longCache && prices.cacheWrite12h === undefined)
    return { field: 'prompt_cache_options', message: `\`prompt_cache_options.ttl: 12h\` is not sold for \`${model.id}\`. Leave \`ttl\` out.` }
  for (const { kind } of asks.tools) {
    const isSold =
      prices[kind] !== undefined || ((kind === 'webSearches' || kind === 'groundedPrompts') && (prices.webSearches ?? prices.groundedPrompts) !== undefined)
    if (!isSold) return { field: 'tools', message: `${TOOLS[kind]} is not sold for \`${model.id}\`. Leave it out of \`tools\`.` }
  }
  for (const step of asks.steps) {
    const other = step.model === undefined ? model : deps.findModel(step.model)
    if (other === undefined || (step.imageTokens !== undefined && other.prices.imageOutput === undefined))
      return {
        field: step.imageTokens === undefined ? 'model' : 'tools',
        message: `The model \`${step.model}\`, which this request names as well, is not served here.`,
      }
  }
  return undefined
}

const TOOLS = {
  webSearches: 'Web search',
  groundedPrompts: 'Google Search',
  mapPrompts: 'Google Maps',
  containers: 'The code interpreter',
  codeSeconds: 'Code execution',
} as const

/**
 * Returns the usage, naming a class without a price as unknown. Steps of an unknown model raise an alarm, and cost the vendor's highest
 * price.
 */
export function markUnsoldUsage(call: GatewayCall, usage: Usage): Usage {
  const model = call.model!
  for (const step of usage.extra)
    if (step.model !== undefined && call.deps.findModel(step.model) === undefined) {
      call.deps.metrics.alarm?.('gateway.usage_unknown')
      call.deps.log.error(
        { event: 'gateway.usage_unknown', field: `model=${step.model}`, model: model.id, upstream: call.route!.upstream.id, requestId: call.requestId },
        'a step of an unknown model is billed at the highest price of its vendor',
      )
    }
  return markUnpricedUsage(model.prices, usage)
}

/** Factors for an estimate when the answer did not report how it was served: as expensive as requested. */
export function resolveEstimateFactors(call: GatewayCall, told: Usage | undefined): readonly Factor[] {
  const { factors } = call.model!.prices
  const increasing = call.facts!.asks.factors.filter((name) => (factors?.[name] ?? 0n) > FACTOR_ONE)
  return increasing.length === 0 ? (told?.factors ?? []) : [...new Set([...(told?.factors ?? []), ...increasing])]
}

/** Prices of a step whose model is unknown. */
export function getUnknownStepPrices(call: GatewayCall): ModelPrices {
  return findHighestPrices(call.deps, call.model!)
}

/** Prices of the models that a request's steps may run on. */
export const createStepPriceLookup =
  (deps: Pick<HotDeps, 'findModel' | 'listModels'>, model: GatewayModel) =>
  (id: string | undefined): ModelPrices =>
    (id === undefined ? undefined : deps.findModel(id)?.prices) ?? findHighestPrices(deps, model)

function findHighestPrices(deps: Pick<HotDeps, 'listModels'>, model: GatewayModel): ModelPrices {
  let highest = model.prices
  for (const { vendor, prices } of deps.listModels()) if (vendor === model.vendor && prices.output > highest.output) highest = prices
  return highest
}
