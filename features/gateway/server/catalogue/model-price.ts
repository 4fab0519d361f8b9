import type { ReplyOf } from '#platform/shared/contract.ts'
import { convertUsd, multiplyNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { pick } from '#platform/shared/pick.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Db } from '#platform/server/database/db.ts'
import { readExchangeRate } from '#features/payments/server/door.ts'
import type { ClassPriceTexts, ModelRow, gatewayContract } from '../../contract.ts'
import { readGatewayConfig } from '../config.ts'
import { resolveLifecycle } from './lifecycle.ts'
import { selectCurrentModels } from './data.ts'
import type { ModelWithPrice } from './data.ts'
import { STORED_FACTORS, toClassPrices } from './price-classes.ts'

const CACHE_MS = 3000
const cachedModels = new WeakMap<Db, { readonly at: number; readonly rows: Promise<ModelWithPrice[]> }>()

/** The public price list. Every visitor's landing page requests it, so it is cached. */
export async function modelPrice(ctx: Ctx): Promise<ReplyOf<(typeof gatewayContract)['modelPrice']>> {
  let known = cachedModels.get(ctx.db)
  if (!known || performance.now() - known.at > CACHE_MS) {
    known = { at: performance.now(), rows: selectCurrentModels(ctx.db) }
    known.rows.catch(() => cachedModels.delete(ctx.db))
    cachedModels.set(ctx.db, known)
  }
  const rate = await readExchangeRate(ctx.settings)
  const today = toShanghaiDay(ctx.clock.now())
  const readOnMinutes = Math.ceil(readGatewayConfig(ctx.config).GATEWAY_READ_ON_MS / 60_000)
  return {
    rate,
    readOnMinutes,
    rowList: (await known.rows).filter((row) => resolveLifecycle(row, today) !== 'retired').map((row) => toModelRow(row, rate, today)),
  }
}

export function toModelRow(row: ModelWithPrice, rate: string, today: string): ModelRow {
  return {
    modelValue: row.modelId,
    modelName: row.name,
    ...pick(row, 'vendor', 'kind', 'capabilities', 'contextTokens', 'maxOutputTokens', 'releasedOn'),
    lifecycle: resolveLifecycle(row, today),
    retiresOn: row.retiresOn,
    successor: row.successor,
    aliases: row.aliases,
    priceVersion: Number(row.version),
    priceFrom: row.validFrom.toISOString(),
    prices: formatTier(row.classes, rate),
    ...(row.factors === null ? {} : { factors: formatFactors(row.factors) }),
    nextPrice: row.nextFrom === null || row.nextClasses === null ? null : { from: row.nextFrom.toISOString(), ...formatTier(row.nextClasses, rate) },
    longContext: row.longAbove === null || row.longClasses === null ? null : { aboveInputTokens: row.longAbove, ...formatTier(row.longClasses, rate) },
  }
}

const formatFactors = (stored: readonly (string | null)[]) =>
  Object.fromEntries(STORED_FACTORS.flatMap((name, at) => (stored[at] == null ? [] : [[name, formatUsd(multiplyNano(BigInt(stored[at]), 1_000))]])))

function formatTier(stored: readonly (string | null)[], rate: string): { usd: ClassPriceTexts; cny: ClassPriceTexts } {
  const prices = toClassPrices(stored)
  const each = (write: (price: Nano) => string): ClassPriceTexts => {
    const maybe = (price: Nano | undefined) => (price === undefined ? null : write(price))
    return {
      input: write(prices.input),
      cachedInput: maybe(prices.cachedInput),
      cacheWrite5m: maybe(prices.cacheWrite5m),
      cacheWrite1h: maybe(prices.cacheWrite1h),
      output: write(prices.output),
      audioInput: maybe(prices.audioInput),
      audioOutput: maybe(prices.audioOutput),
      imageInput: maybe(prices.imageInput),
      cachedAudio: maybe(prices.cachedAudio),
      cachedImage: maybe(prices.cachedImage),
      imageOutput: maybe(prices.imageOutput),
      characters: maybe(prices.characters),
      seconds: maybe(prices.seconds),
      searches: maybe(prices.searches),
      cacheWrite12h: maybe(prices.cacheWrite12h),
      webSearches: maybe(prices.webSearches),
      groundedPrompts: maybe(prices.groundedPrompts),
      mapPrompts: maybe(prices.mapPrompts),
      containers: maybe(prices.containers),
      codeSeconds: maybe(prices.codeSeconds),
    }
  }
  return { usd: each(formatUsd), cny: each((price) => formatUsd(convertUsd(price, rate))) }
}
