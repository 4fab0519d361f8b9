import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { gatewayDeskContract } from '../../contract-desk.console.ts'
import { customerTerms } from '../terms/read.ts'
import { dryRun, readBookDay, readBooks, readUpstreams } from './read-upstreams.ts'
import { cacheSlowQueries } from '#platform/server/database/cache-slow-queries.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { scaleByRatio, computeMarginBasisPoints, subtractNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import {
  countModelCustomers,
  selectPlannedPrices,
  selectPricesAt,
  selectShownModels,
  selectTokensByClass,
  selectModelUse,
  selectVendorPricesAt,
} from './data-prices.ts'
import type { ModelUse, PriceRow } from './data-prices.ts'
import { computePriceEffect, isBelowVendor, buildClassLines, computeMarginBp } from './price-plan.ts'
import type { ClassLine, NewPrices } from './price-plan.ts'

type C = typeof gatewayDeskContract
const DAYS = 30
const SAMPLE_CALLS = 20_000
const SAMPLE_MS = 7 * 86_400_000

/** One row per customer, day and key. Slow with many of them, so the result is cached. */
const loadRecentUse = cacheSlowQueries((sql, since) => selectModelUse(sql, since!))

const parsePlanName = (source: string) => (source.startsWith('plan:') ? source.slice(5) : null)
const toLineView = (line: ClassLine) => ({
  ...{ name: line.name, now: formatUsd(line.now), then: formatUsd(line.then), vendor: line.vendor === undefined ? null : formatUsd(line.vendor) },
  ...{ marginNow: computeMarginBp(line.now, line.vendor), marginThen: computeMarginBp(line.then, line.vendor), belowCost: isBelowVendor(line) },
})

/** All models with their current and planned prices, the vendor's prices, and thirty days of use. */
async function readPriceBook({ db, clock }: Ctx): Promise<ReplyOf<C['prices']>> {
  const now = clock.now()
  const models = await selectShownModels(db)
  const ids = models.map(({ modelId }) => modelId)
  const [current, vendor, planned] = await Promise.all([selectPricesAt(db, ids, now), selectVendorPricesAt(db, ids, now), selectPlannedPrices(db)])
  const uses = new Map((await loadRecentUse(db, toShanghaiDay(new Date(now.getTime() - DAYS * 86_400_000)))).map((use) => [use.model, use]))
  const by = (rows: readonly PriceRow[]) => new Map(rows.map((row) => [row.modelId, row]))
  const [held, listed] = [by(current), by(vendor)]
  const rows = models.flatMap((model) => {
    const price = held.get(model.modelId)
    if (!price) return []
    return [{ ...toPriceRow(model, price, uses.get(model.modelId)), classes: buildClassLines(price, listed.get(model.modelId), {}).map(toLineView) }]
  })
  return { rows, plans: groupPlans(planned) }
}

function toPriceRow({ modelId, name, vendor }: { modelId: string; name: string; vendor: string }, price: PriceRow, use: ModelUse | undefined) {
  return {
    ...{ model: modelId, name, vendor, version: Number(price.version), from: price.validFrom.toISOString(), plan: parsePlanName(price.source) },
    ...{ customers: use?.customers ?? 0, calls: Number(use?.calls ?? 0n), amount: formatUsd(use?.amount ?? 0n) },
  }
}

function groupPlans(planned: readonly PriceRow[]): ReplyOf<C['prices']>['plans'] {
  const byName = Map.groupBy(planned, ({ source }) => source)
  return [...byName].map(([source, rows]) => ({
    ...{ title: parsePlanName(source) ?? source, byOperator: source.startsWith('plan:'), from: rows[0]!.validFrom.toISOString() },
    models: rows.map(({ modelId }) => modelId),
  }))
}

/** Previews a draft: each class against the current and the vendor's price, and the effect on the total of the last 30 days. */
async function tryPrices({ db, clock }: Ctx, { changes, from }: InputOf<C['tryPrices']>): Promise<ReplyOf<C['tryPrices']>> {
  const ids = changes.map(({ model }) => model)
  const at = new Date(from)
  const now = clock.now()
  const since = toShanghaiDay(new Date(now.getTime() - DAYS * 86_400_000))
  const [current, vendor, uses, sums] = await Promise.all([
    selectPricesAt(db, ids, at),
    selectVendorPricesAt(db, ids, at),
    selectTokensByClass(db, ids, { since: new Date(now.getTime() - SAMPLE_MS), limit: SAMPLE_CALLS }),
    loadRecentUse(db, since),
  ])
  const effects = changes.map(({ model, prices }) => {
    const price = current.find(({ modelId }) => modelId === model) ?? fail('NOT_FOUND')
    const lines = buildClassLines(
      price,
      vendor.find(({ modelId }) => modelId === model),
      prices as NewPrices,
    )
    const use = sums.find((each) => each.model === model)
    const sampled = computePriceEffect(
      lines,
      uses.filter((each) => each.model === model),
    )
    const amount = use?.amount ?? 0n
    // no estimate without a sample
    const scaled = (part: Nano) => (sampled.now > 0n ? scaleByRatio(amount, part, sampled.now) : undefined)
    const isBelow = lines.some((line) => (prices as NewPrices)[line.name] !== undefined && isBelowVendor(line))
    return { model, lines, isBelow, customers: use?.customers ?? 0, now: amount, then: scaled(sampled.then), costs: scaled(sampled.vendor) }
  })
  const told = (amount: Nano | undefined) => (amount === undefined ? null : formatUsd(amount))
  return {
    rows: effects.map(({ model, lines, isBelow, customers, now: was, then, costs }) => ({
      ...{ model, classes: lines.map(toLineView), customers, amountNow: formatUsd(was), amountThen: told(then), costs: told(costs), belowCost: isBelow },
    })),
    total: sumEffects(effects, await countModelCustomers(db, ids, since)),
  }
}

type Effect = { readonly now: Nano; readonly then: Nano | undefined; readonly costs: Nano | undefined }
function sumEffects(effects: readonly Effect[], customers: number): ReplyOf<C['tryPrices']>['total'] {
  const [was, then, costs] = [
    sumNano(effects.map(({ now }) => now)),
    sumNano(effects.map(({ now, then: next }) => next ?? now)),
    sumNano(effects.map(({ costs: cost }) => cost ?? 0n)),
  ]
  const [marginNow, marginThen] = [subtractNano(was, costs), subtractNano(then, costs)]
  return {
    ...{ customers, amountNow: formatUsd(was), amountThen: formatUsd(then), difference: formatUsd(subtractNano(then, was)), costs: formatUsd(costs) },
    ...{
      marginNow: formatUsd(marginNow),
      marginThen: formatUsd(marginThen),
      rateNow: computeMarginBasisPoints(was, costs),
      rateThen: computeMarginBasisPoints(then, costs),
    },
  }
}

export const deskRoutes = bind(gatewayDeskContract, {
  ...{ upstreams: readUpstreams, dryRun, prices: readPriceBook, tryPrices, customerTerms, books: readBooks, bookDay: readBookDay },
})
