import { cacheSlowQueries } from '#platform/server/database/cache-slow-queries.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { inProportion, marginBasisPoints, minus, sum, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { deskContract } from '../../contract-desk.console.ts'
import { customersOf, plannedPrices, pricesAt, shownModels, tokensByClass, useOfModels, vendorPricesAt } from './data-prices.ts'
import type { ModelUse, PriceRow } from './data-prices.ts'
import { effectOf, isBelowVendor, linesOf, marginBp } from './price-plan.ts'
import type { ClassLine, NewPrices } from './price-plan.ts'

type C = typeof deskContract
const DAYS = 30
const SAMPLE = 20_000
const SAMPLE_MS = 7 * 86_400_000

/** One row per customer, day and key. Slow with many of them, so the result is cached. */
const recentUse = cacheSlowQueries((sql, since) => useOfModels(sql, since!))

const planOf = (source: string) => (source.startsWith('plan:') ? source.slice(5) : null)
const shownLine = (line: ClassLine) => ({
  ...{ name: line.name, now: usd(line.now), then: usd(line.then), vendor: line.vendor === undefined ? null : usd(line.vendor) },
  ...{ marginNow: marginBp(line.now, line.vendor), marginThen: marginBp(line.then, line.vendor), belowCost: isBelowVendor(line) },
})

/** Every model with its prices of now, the vendor's, its use of thirty days, and what is planned. */
export async function readPriceBook({ db, clock }: Ctx): Promise<ReplyOf<C['prices']>> {
  const now = clock.now()
  const models = await shownModels(db)
  const ids = models.map(({ model_id }) => model_id)
  const [current, vendor, planned] = await Promise.all([pricesAt(db, ids, now), vendorPricesAt(db, ids, now), plannedPrices(db)])
  const uses = new Map((await recentUse(db, shanghaiDay(new Date(now.getTime() - DAYS * 86_400_000)))).map((use) => [use.model, use]))
  const by = (rows: readonly PriceRow[]) => new Map(rows.map((row) => [row.model_id, row]))
  const [held, listed] = [by(current), by(vendor)]
  const rows = models.flatMap((model) => {
    const price = held.get(model.model_id)
    if (!price) return []
    return [{ ...rowOf(model, price, uses.get(model.model_id)), classes: linesOf(price, listed.get(model.model_id), {}).map(shownLine) }]
  })
  return { rows, plans: plansOf(planned) }
}

function rowOf({ model_id, name, vendor }: { model_id: string; name: string; vendor: string }, price: PriceRow, use: ModelUse | undefined) {
  return {
    ...{ model: model_id, name, vendor, version: Number(price.version), from: price.valid_from.toISOString(), plan: planOf(price.source) },
    ...{ customers: use?.customers ?? 0, calls: Number(use?.calls ?? 0n), amount: usd(use?.amount ?? 0n) },
  }
}

function plansOf(planned: readonly PriceRow[]): ReplyOf<C['prices']>['plans'] {
  const byName = Map.groupBy(planned, ({ source }) => source)
  return [...byName].map(([source, rows]) => ({
    ...{ title: planOf(source) ?? source, byOperator: source.startsWith('plan:'), from: rows[0]!.valid_from.toISOString() },
    models: rows.map(({ model_id }) => model_id),
  }))
}

/** Previews a draft: each class against the current and the vendor's price, and the effect on the total of the last 30 days. */
export async function tryPrices({ db, clock }: Ctx, { changes, from }: InputOf<C['tryPrices']>): Promise<ReplyOf<C['tryPrices']>> {
  const ids = changes.map(({ model }) => model)
  const at = new Date(from)
  const now = clock.now()
  const since = shanghaiDay(new Date(now.getTime() - DAYS * 86_400_000))
  const [current, vendor, uses, sums] = await Promise.all([
    pricesAt(db, ids, at),
    vendorPricesAt(db, ids, at),
    tokensByClass(db, ids, new Date(now.getTime() - SAMPLE_MS), SAMPLE),
    recentUse(db, since),
  ])
  const effects = changes.map(({ model, prices }) => {
    const price = current.find(({ model_id }) => model_id === model) ?? fail('NOT_FOUND')
    const lines = linesOf(
      price,
      vendor.find(({ model_id }) => model_id === model),
      prices as NewPrices,
    )
    const use = sums.find((each) => each.model === model)
    const sampled = effectOf(
      lines,
      uses.filter((each) => each.model === model),
    )
    const amount = use?.amount ?? 0n
    // without a sample nothing is guessed
    const scaled = (part: Nano) => (sampled.now > 0n ? inProportion(amount, part, sampled.now) : undefined)
    const isBelow = lines.some((line) => (prices as NewPrices)[line.name] !== undefined && isBelowVendor(line))
    return { model, lines, isBelow, customers: use?.customers ?? 0, now: amount, then: scaled(sampled.then), costs: scaled(sampled.vendor) }
  })
  const told = (amount: Nano | undefined) => (amount === undefined ? null : usd(amount))
  return {
    rows: effects.map(({ model, lines, isBelow, customers, now: was, then, costs }) => ({
      ...{ model, classes: lines.map(shownLine), customers, amountNow: usd(was), amountThen: told(then), costs: told(costs), belowCost: isBelow },
    })),
    total: totalOf(effects, await customersOf(db, ids, since)),
  }
}

type Effect = { readonly now: Nano; readonly then: Nano | undefined; readonly costs: Nano | undefined }
function totalOf(effects: readonly Effect[], customers: number): ReplyOf<C['tryPrices']>['total'] {
  const [was, then, costs] = [
    sum(effects.map(({ now }) => now)),
    sum(effects.map(({ now, then: next }) => next ?? now)),
    sum(effects.map(({ costs: cost }) => cost ?? 0n)),
  ]
  const [marginNow, marginThen] = [minus(was, costs), minus(then, costs)]
  return {
    ...{ customers, amountNow: usd(was), amountThen: usd(then), difference: usd(minus(then, was)), costs: usd(costs) },
    ...{ marginNow: usd(marginNow), marginThen: usd(marginThen), rateNow: marginBasisPoints(was, costs), rateThen: marginBasisPoints(then, costs) },
  }
}
