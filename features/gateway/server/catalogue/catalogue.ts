import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { selectCurrentModels, selectNextPriceAt } from './data.ts'
import type { ModelWithPrice } from './data.ts'
import type { Dialect, HotDeps, GatewayModel, Route, ModelPrices } from '../hot/deps.ts'
import { resolveLifecycle, mapModelNames, buildDeprecationNotice } from './lifecycle.ts'
import { toCallPrices } from './price-classes.ts'
import { selectNextTermsAt, selectSharedPrices, selectCurrentTerms } from './data-terms.ts'
import { vendors } from '../vendors/index.ts'

/** The negotiated prices of all customers, in memory. */
interface OwnPrices {
  /** Returns the model at the customer's prices; the same object if the customer pays list prices. */
  priced(userId: string, model: GatewayModel): GatewayModel
  has(userId: string): boolean
}

const ALL = ''
const LIST_MILLIONTHS = 1_000_000

/** Reads the current shares of these list prices. The database guarantees a row for every share of every price. */
async function readOwnPrices(sql: Sql, rows: readonly Pick<ModelWithPrice, 'version'>[], broken: (what: object) => void): Promise<OwnPrices> {
  const terms = await selectCurrentTerms(sql)
  const ofUser = new Map<string, Map<string, number>>()
  for (const { userId, modelId, millionths } of terms) {
    const own = ofUser.get(userId) ?? new Map<string, number>()
    ofUser.set(userId, own.set(modelId ?? ALL, millionths))
  }
  const shares = terms.length
    ? await selectSharedPrices(
        sql,
        rows.map(({ version }) => version),
      )
    : []
  const prices = new Map<string, ModelPrices>(shares.map((row) => [`${row.ofVersion} ${row.millionths}`, toCallPrices(row.version, row)]))
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

/** The models of this process: a snapshot that is replaced as a whole. */
export interface Catalogue {
  find(id: string): GatewayModel | undefined
  list(): readonly GatewayModel[]
  /** Models at a customer's negotiated prices; undefined for customers on list prices. */
  pricedFor(userId: string): PricedModels | undefined
  /** Reads the models again; concurrent calls share one further read. */
  reload(): Promise<void>
  stop(): void
}

type PricedModels = Pick<HotDeps, 'findModel' | 'listModels'>

const LONGEST_WAIT_MS = 3_600_000
const DAY_MS = 86_400_000

export async function createCatalogue(
  sql: Sql,
  routesOf: (vendor: string, model: string) => readonly Route[] | undefined,
  { log, now = () => new Date() }: { readonly log: Log; readonly now?: () => Date },
): Promise<Catalogue> {
  let byId: ReadonlyMap<string, GatewayModel> = new Map()
  let all: readonly GatewayModel[] = []
  let own: OwnPrices | undefined
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined
  let again = false
  let stopped = false

  const read = async () => {
    const rows = await selectCurrentModels(sql)
    const next = pickEarlier(await selectNextPriceAt(sql), await selectNextTermsAt(sql))
    const negotiated = await readOwnPrices(sql, rows, (what) => log.error(what, 'a negotiated price has no row: the list price is charged'))
    const today = toShanghaiDay(now())
    const models = rows.flatMap((row) => toModel(row, today, routesOf(row.vendor, row.modelId)) ?? [])
    const live = models.filter((model) => model.lifecycle !== 'retired')
    byId = mapModelNames(models, today, rows)
    all = live
    own = negotiated
    clearTimeout(timer)
    // Reload at the next price and at midnight, because both change the models.
    const midnight = Date.parse(`${today}T00:00:00+08:00`) + DAY_MS - now().getTime()
    const wait = Math.min(LONGEST_WAIT_MS, midnight + 5, next ? Math.max(20, next.getTime() - Date.now() + 5) : LONGEST_WAIT_MS)
    if (!stopped)
      timer = setTimeout(() => {
        reload().catch((error: unknown) => log.error({ err: error }, 'prices could not be read'))
      }, wait).unref()
  }
  const reload = async (): Promise<void> => {
    if (reading) {
      again = true
      return reading
    }
    reading = read().finally(() => {
      reading = undefined
    })
    await reading
    if (again) {
      again = false
      await reload()
    }
  }
  await reload()
  return {
    find: (id) => byId.get(id),
    list: () => all,
    pricedFor: (userId) => {
      if (!own?.has(userId)) return undefined
      // looked up on each call, because a session may outlive the current terms
      const priced = (model: GatewayModel) => own!.priced(userId, model)
      return {
        findModel: (id) => {
          const model = byId.get(id)
          return model && priced(model)
        },
        listModels: () => all.map(priced),
      }
    },
    reload,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

const pickEarlier = (a: Date | undefined, b: Date | undefined): Date | undefined => (a && b ? (a < b ? a : b) : (a ?? b))

function toModel(row: ModelWithPrice, today: string, routes: readonly Route[] | undefined): GatewayModel | undefined {
  if (!routes) return undefined
  const seconds = (day: string | null) => (day ? Date.parse(`${day}T00:00:00Z`) / 1000 : undefined)
  return {
    id: row.modelId,
    vendor: row.vendor,
    displayName: row.name,
    kind: row.kind,
    dialects: filterServedDialects(row.dialects as Dialect[], routes),
    capabilities: row.capabilities,
    traits: new Set(vendors.find((vendor) => vendor.id === row.vendor)?.traits?.(row.modelId)),
    contextTokens: row.contextTokens ?? undefined,
    maxOutputTokens: row.maxOutputTokens ?? undefined,
    createdAt: seconds(row.releasedOn) ?? 0,
    lifecycle: resolveLifecycle(row, today),
    deprecatedAt: seconds(row.deprecatedOn),
    retiresAt: seconds(row.retiresOn),
    successor: row.successor ?? undefined,
    ...buildDeprecationNotice(row, today),
    prices: toCallPrices(row.version, row),
    routes,
  }
}

/** Models that have a route; all models if none has one, so that the refusal is about the upstream. */
function filterServedDialects(dialects: readonly Dialect[], routes: readonly Route[]): ReadonlySet<Dialect> {
  if (routes.length === 0) return new Set(dialects)
  return new Set(dialects.filter((dialect) => routes.some((route) => !route.dialects || route.dialects.has(dialect))))
}
