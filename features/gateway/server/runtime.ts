import type { Deps } from '#platform/server/feature.ts'
import { callMetrics, watchGates } from '#platform/server/metrics.ts'
import { createSettings } from '#platform/server/settings.ts'
import { createAccountShare } from './accounts/account-share.ts'
import type { RunningShare } from './accounts/account-share.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { readGatewayConfig } from './config.ts'
import type { GatewayConfig } from './config.ts'
import { createCounter } from './counting/counter.ts'
import type { Counter } from './counting/counter.ts'
import { noteReadOn, noteUsed } from './keys/data.ts'
import { madeFor } from './journal/data-made.ts'
import { within } from './journal/writing/faults.ts'
import { createRecorder } from './requests/recorder.ts'
import { writeRefused } from './requests/data-refused.ts'
import { noteOldUses } from './keys/data-secrets.ts'
import { proxiesOf } from './hot/http/address.ts'
import { createFunds } from './accounts/funds.ts'
import type { HotDeps, QuotaAnswer, QuotaAsk } from './hot/deps.ts'
import { createJournal } from './journal/journal.ts'
import type { RunningJournal } from './journal/journal.ts'
import { createKeyCache } from './keys/cache/key-cache.ts'
import type { KeyCache } from './keys/cache/key-cache.ts'
import { liveKeys } from './keys/live-keys.ts'
import { newNetworks } from './keys/note-networks.ts'
import { listen } from './keys/listener.ts'
import type { Listener } from './keys/listener.ts'
import { createQuota } from './quota/index.ts'
import type { RunningQuota } from './quota/postgres.ts'
import { cheapestFirst } from './settings.ts'
import { createUpstreams } from './upstreams/upstreams.ts'
import type { Upstreams } from './upstreams/upstreams.ts'

export interface GatewayDeps extends HotDeps {
  /** For tests: keys held in memory, and whether news arrives. */
  readonly keys: { size(): number; pushed(): boolean }
  /** New calls are refused: the database does not take what they come to. */
  isRefusing(): boolean
  stop(): Promise<void>
}

/** No reader sees it; with 20 ms between tokens it halves the writes. */
const FULL_PACE_MS = 40
const USED_MS = 5000
/** Sums over a large account take longer than what a call waits for. */
const FUNDS_MS = 5000
const MB = 1024 * 1024

/** Objects that live as long as the process. */
interface Parts {
  readonly deps: Deps
  readonly config: GatewayConfig
  readonly upstreams: Upstreams
  readonly catalogue: Catalogue
  readonly journal: RunningJournal
  readonly share: RunningShare
  readonly quota: RunningQuota
  readonly counter: Counter
  readonly keys: KeyCache
  readonly refused: ReturnType<typeof createRecorder>
  readonly listener: Listener
  readonly noteNetworks: ReturnType<typeof newNetworks>
}

/** Everything the relay needs, alive: keys, models and leases in memory, news from the database, the journal. */
export async function createGatewayDeps(deps: Deps): Promise<GatewayDeps> {
  const parts = await openParts(deps)
  const { db, log } = deps
  const { config, keys, catalogue, journal, quota, share, counter, refused, listener } = parts
  const timer = setInterval(() => {
    writeUsed(parts).catch((error: unknown) => log.warn({ err: error }, 'last use of keys not written'))
  }, USED_MS)
  timer.unref()
  const funds = createFunds(db, () => deps.clock.now())
  /** A hung database refuses calls within a second, like one that is away. */
  const inTime = <T>(answer: Promise<T>): Promise<T> => within(config.GATEWAY_REFUSE_MS, answer)
  return {
    findKey: (secret) => {
      const found = keys.find(secret)
      return found instanceof Promise ? inTime(found) : found
    },
    findModel: catalogue.find,
    listModels: catalogue.list,
    pricedFor: catalogue.pricedFor,
    journal,
    quota: { ...quota, take: (ask) => takeInTime(quota, ask, inTime), ask: (ask) => inTime(quota.ask(ask)) },
    fundsOf: (key) => within(FUNDS_MS, funds(key)),
    accountShare: share.now,
    madeFor: (accountId, ids) => inTime(madeFor(db, accountId, ids)),
    countTokens: counter.count,
    brand: { header: 'x-mingxi-request-id', consoleUrl: () => `${deps.siteUrl()}/api`, support: deps.config.SUPPORT_EMAIL },
    limits: limitsOf(config),
    proxies: proxiesOf(deps.config.TRUST_PROXY),
    log,
    metrics: callMetrics,
    noteRefused: refused.note,
    noteShort: (found) => {
      noteReadOn(db, found).catch((error: unknown) => log.error({ err: error }, 'an account whose estimates fall short was not written down'))
    },
    keys: { size: keys.size, pushed: () => listener.sure() },
    isRefusing: journal.isRefusing,
    stop: async () => {
      clearInterval(timer)
      await stop(parts)
    },
  }
}

/** A place that is taken when nothing waits for it any more is free again. */
function takeInTime(quota: RunningQuota, ask: QuotaAsk, inTime: (answer: Promise<QuotaAnswer>) => Promise<QuotaAnswer>): Promise<QuotaAnswer> {
  const answer = quota.take(ask)
  return inTime(answer).catch((error: unknown) => {
    answer.then(
      ({ taken }) => taken && quota.end(taken, 0),
      () => {},
    )
    throw error
  })
}

async function openParts(deps: Deps): Promise<Parts> {
  const { db, log } = deps
  const config = readGatewayConfig(deps.config)
  const upstreams = createUpstreams(deps)
  watchGates(upstreams.gates)
  await readRoutes(deps, upstreams)
  const catalogue = await createCatalogue(db, upstreams.routesOf, log, () => deps.clock.now())
  // The journal makes this process a node, and a share is a part of so many nodes.
  const journal: RunningJournal = await createJournal(db, log, {
    deadMs: config.GATEWAY_NODE_DEAD_MS,
    refuseMs: config.GATEWAY_REFUSE_MS,
    atRisk: () => share.now().atRisk,
  })
  const share = await createAccountShare(db, log, config.GATEWAY_NODE_DEAD_MS)
  const quota = createQuota(db, () => journal.node, log, config.REDIS_URL, config.REDIS_AWAY_MS)
  const counter = createCounter(log)
  const keys = createKeyCache({ load: (hashes) => liveKeys(db, hashes), pushed: () => listener.sure(), capacity: config.GATEWAY_KEYS_IN_MEMORY })
  const listener: Listener = listenForNews(deps, { keys, journal, upstreams, catalogue })
  const refused = createRecorder({ write: (batch) => writeRefused(db, batch), log })
  return { deps, config, upstreams, catalogue, journal, share, quota, counter, keys, refused, listener, noteNetworks: newNetworks() }
}

/** Reads settings uncached: a change notification arrives before a cached value expires. */
async function readRoutes({ db }: Deps, upstreams: Upstreams): Promise<void> {
  await upstreams.reload(db, await createSettings(db, 0).get(cheapestFirst))
}

/** Applies changes of other processes at once; refreshes all caches after a gap in LISTEN. */
function listenForNews(deps: Deps, { keys, journal, upstreams, catalogue }: Pick<Parts, 'keys' | 'journal' | 'upstreams' | 'catalogue'>): Listener {
  const { db, log } = deps
  const reload = () => {
    catalogue.reload().catch((error: unknown) => log.error({ err: error }, 'prices could not be read'))
  }
  const reroute = () => {
    const warm = () => catalogue.reload().then(upstreams.keepWarm)
    readRoutes(deps, upstreams)
      .then(warm)
      .catch((error: unknown) => log.error({ err: error }, 'routes could not be read'))
  }
  return listen(
    db,
    { gateway_keys: keys.forget, account_status: keys.forgetUser, gateway_prices: reload, gateway_routes: reroute, gateway_lease_recall: journal.recalled },
    () => {
      keys.forgetAll()
      reroute()
    },
    log,
  )
}

const limitsOf = (config: GatewayConfig): HotDeps['limits'] => ({
  bodyBytes: config.GATEWAY_BODY_MB * MB,
  bodiesBytes: config.GATEWAY_BODIES_MB * MB,
  bodyMs: 120_000,
  upstreamMs: config.UPSTREAM_TIMEOUT_MS,
  keepaliveMs: 15_000,
  slowReaderMs: 120_000,
  fullPaceMs: FULL_PACE_MS,
  defaultOutputTokens: 4096,
  drainMs: config.GATEWAY_READ_ON_MS,
})

async function writeUsed({ deps, keys, noteNetworks }: Parts): Promise<void> {
  const { db } = deps
  const used = keys.takeUsed()
  if (used.size) {
    const noted = await noteUsed(db, used)
    const uses = noted.map(({ key_id: keyId, user_id: userId }) => ({ userId, from: used.get(keyId)?.from ?? '' }))
    await noteNetworks(deps, uses)
  }
  const oldUses = keys.takeOldUses()
  if (oldUses.size) await noteOldUses(db, oldUses)
}

async function stop(parts: Parts): Promise<void> {
  parts.share.stop()
  await parts.quota.stop()
  await parts.refused.stop()
  await parts.journal.stop()
  await writeUsed(parts).catch(() => {})
  parts.catalogue.stop()
  await parts.counter.stop()
  await parts.listener.stop()
  await parts.upstreams.stop()
}
