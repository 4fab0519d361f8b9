import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { multiplied } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { rateNow } from '#features/payments/server/door.ts'
import type { gatewayContract } from '../../contract.ts'
import type { deskContract } from '../../contract-desk.console.ts'
import { modelsNow } from '../catalogue/data.ts'
import type { ModelWithPrice } from '../catalogue/data.ts'
import { lifecycleOf } from '../catalogue/lifecycle.ts'
import { modelRow } from '../catalogue/model-price.ts'
import { priceNoticeDays } from '../settings.ts'
import { allTerms, sharesOf, termsAt } from '../catalogue/data-terms.ts'
import type { SharedPrice, TermRow } from '../catalogue/data-terms.ts'
import { percentText } from './percent.ts'

const LIST = 1_000_000

/** The caller's negotiated terms, current and upcoming, and the models whose price they change. */
export async function ownPrices(ctx: Ctx): Promise<ReplyOf<(typeof gatewayContract)['ownPrices']>> {
  const now = ctx.clock.now()
  const kept = (await allTerms(ctx.db, ctx.userId)).filter(({ dropped_at }) => dropped_at === null)
  if (!kept.length) return { terms: [], rowList: [] }
  const holding = await termsAt(ctx.db, ctx.userId, now)
  const shareOf = (model: string) =>
    (holding.find(({ model_id }) => model_id === model) ?? holding.find(({ model_id }) => model_id === null))?.millionths ?? LIST
  const models = await modelsNow(ctx.db)
  const shares = new Map(
    (
      await sharesOf(
        ctx.db,
        models.map(({ version }) => version),
      )
    ).map((row) => [`${row.of_version} ${row.millionths}`, row]),
  )
  const [rate, today] = [await rateNow(ctx.settings), shanghaiDay(now)]
  const shown = kept.filter((term) => term.valid_from > now || holding.some(({ id }) => id === term.id))
  return {
    terms: shown.map(({ model_id, millionths, valid_from }) => ({
      ...{ model: model_id, percent: percentText(millionths), from: valid_from.toISOString(), holds: valid_from <= now },
    })),
    rowList: models
      .filter((model) => lifecycleOf(model, today) !== 'retired')
      .flatMap((model) => {
        const share = shareOf(model.model_id)
        const own = shares.get(`${model.version} ${share}`)
        return own ? [{ ...modelRow(shared(model, own), rate, today), percent: percentText(share) }] : []
      }),
  }
}

function shared(model: ModelWithPrice, { version, classes, long_above, long_classes, millionths }: SharedPrice): ModelWithPrice {
  const next = model.next_classes?.map((each) => (each === null ? null : multiplied(BigInt(each), [BigInt(millionths)]).toString())) ?? null
  return { ...model, version, classes, long_above, long_classes, next_classes: next }
}

/** All of one customer's, for operators. */
export async function customerTerms(
  { db, clock, settings }: Ctx,
  { userId }: InputOf<(typeof deskContract)['customerTerms']>,
): Promise<ReplyOf<(typeof deskContract)['customerTerms']>> {
  const now = clock.now()
  const [rows, holding] = [await allTerms(db, userId), await termsAt(db, userId, now)]
  const stateOf = (row: TermRow) =>
    row.dropped_at ? 'cancelled' : row.valid_from > now ? 'planned' : holding.some(({ id }) => id === row.id) ? 'holds' : 'over'
  return {
    noticeDays: await settings.get(priceNoticeDays),
    rows: rows.map((row) => ({
      ...{ id: row.id.toString(), model: row.model_id, percent: percentText(row.millionths), from: row.valid_from.toISOString() },
      ...({ title: row.title, rises: row.rises, madeBy: row.made_by, state: stateOf(row) } as const),
    })),
  }
}
