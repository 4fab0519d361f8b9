import type { Sql } from '#platform/server/database/db.ts'
import { toCallPrices } from './price-classes.ts'
import type { ModelWithPrice } from './data.ts'
import type { GatewayModel, ModelPrices } from '../hot/deps.ts'
import { selectSharedPrices, selectCurrentTerms } from './data-terms.ts'

/** The negotiated prices of all customers, in memory. */
export interface OwnPrices {
  /** The model at the customer's prices; the same object where the customer pays the list's. */
  priced(userId: string, model: GatewayModel): GatewayModel
  has(userId: string): boolean
}

const ALL = ''
const LIST_MILLIONTHS = 1_000_000

/** Reads the shares of these list prices that hold now. Every share of every price has its row: the database makes it. */
export async function readOwnPrices(sql: Sql, rows: readonly Pick<ModelWithPrice, 'version'>[], broken: (what: object) => void): Promise<OwnPrices> {
  const terms = await selectCurrentTerms(sql)
  const ofUser = new Map<string, Map<string, number>>()
  for (const { user_id, model_id, millionths } of terms) {
    const own = ofUser.get(user_id) ?? new Map<string, number>()
    ofUser.set(user_id, own.set(model_id ?? ALL, millionths))
  }
  const shares = terms.length
    ? await selectSharedPrices(
        sql,
        rows.map(({ version }) => version),
      )
    : []
  const prices = new Map<string, ModelPrices>(shares.map((row) => [`${row.of_version} ${row.millionths}`, toCallPrices(row.version, row)]))
  return {
    has: (userId) => ofUser.has(userId),
    priced: (userId, model) => {
      const own = ofUser.get(userId)
      const share = own?.get(model.id) ?? own?.get(ALL) ?? LIST_MILLIONTHS
      if (share === LIST_MILLIONTHS) return model
      const found = prices.get(`${model.prices.version} ${share}`)
      if (found) return { ...model, prices: found }
      broken({ userId, model: model.id, version: model.prices.version, share })
      return model
    },
  }
}
