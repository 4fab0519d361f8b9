import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { applyFactors } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { readExchangeRate } from '#features/payments/server/door.ts'
import type { gatewayContract } from '../../contract.ts'
import type { gatewayDeskContract } from '../../contract-desk.console.ts'
import { selectCurrentModels } from '../catalogue/data.ts'
import type { ModelWithPrice } from '../catalogue/data.ts'
import { resolveLifecycle } from '../catalogue/lifecycle.ts'
import { toModelRow } from '../catalogue/model-price.ts'
import { priceNoticeDays } from '../settings.ts'
import { selectAllPriceTerms, selectSharedPrices, selectTermsAt } from '../catalogue/data-terms.ts'
import type { SharedPrice, TermRow } from '../catalogue/data-terms.ts'
import { formatPercentShare } from './percent.ts'

const LIST_MILLIONTHS = 1_000_000

/** The caller's negotiated terms, current and upcoming, and the models whose price they change. */
export async function ownPrices(ctx: Ctx): Promise<ReplyOf<(typeof gatewayContract)['ownPrices']>> {
  const now = ctx.clock.now()
  const kept = (await selectAllPriceTerms(ctx.db, ctx.userId)).filter(({ droppedAt }) => droppedAt === null)
  if (!kept.length) return { terms: [], rowList: [] }
  const holding = await selectTermsAt(ctx.db, ctx.userId, now)
  const shareOf = (model: string) =>
    (holding.find(({ modelId }) => modelId === model) ?? holding.find(({ modelId }) => modelId === null))?.millionths ?? LIST_MILLIONTHS
  const models = await selectCurrentModels(ctx.db)
  const shares = new Map(
    (
      await selectSharedPrices(
        ctx.db,
        models.map(({ version }) => version),
      )
    ).map((row) => [`${row.ofVersion} ${row.millionths}`, row]),
  )
  const [rate, today] = [await readExchangeRate(ctx.settings), toShanghaiDay(now)]
  const shown = kept.filter((term) => term.validFrom > now || holding.some(({ id }) => id === term.id))
  return {
    terms: shown.map(({ modelId, millionths, validFrom }) => ({
      ...{ model: modelId, percent: formatPercentShare(millionths), from: validFrom.toISOString(), holds: validFrom <= now },
    })),
    rowList: models
      .filter((model) => resolveLifecycle(model, today) !== 'retired')
      .flatMap((model) => {
        const share = shareOf(model.modelId)
        const own = shares.get(`${model.version} ${share}`)
        return own ? [{ ...toModelRow(applyShare(model, own), rate, today), percent: formatPercentShare(share) }] : []
      }),
  }
}

function applyShare(model: ModelWithPrice, { version, classes, longAbove, longClasses, millionths }: SharedPrice): ModelWithPrice {
  const next = model.nextClasses?.map((each) => (each === null ? null : applyFactors(BigInt(each), [BigInt(millionths)]).toString())) ?? null
  return { ...model, version, classes, longAbove, longClasses, nextClasses: next }
}

/** All terms of one customer, for operators. */
export async function customerTerms(
  { db, clock, settings }: Ctx,
  { userId }: InputOf<(typeof gatewayDeskContract)['customerTerms']>,
): Promise<ReplyOf<(typeof gatewayDeskContract)['customerTerms']>> {
  const now = clock.now()
  const [rows, holding] = [await selectAllPriceTerms(db, userId), await selectTermsAt(db, userId, now)]
  const stateOf = (row: TermRow) => (row.droppedAt ? 'cancelled' : row.validFrom > now ? 'planned' : holding.some(({ id }) => id === row.id) ? 'holds' : 'over')
  return {
    noticeDays: await settings.get(priceNoticeDays),
    rows: rows.map((row) => ({
      ...{ id: row.id.toString(), model: row.modelId, percent: formatPercentShare(row.millionths), from: row.validFrom.toISOString() },
      ...({ title: row.title, rises: row.rises, madeBy: row.madeBy, state: stateOf(row) } as const),
    })),
  }
}
