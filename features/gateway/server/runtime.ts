import type { Deps } from '#platform/server/feature.ts'
import { callMetrics, watchGates } from '#platform/server/metrics.ts'
import { createSettings } from '#platform/server/settings.ts'
import { createAccountShare } from './accounts/account-share.ts'
import type { RunningShare } from './accounts/account-share.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { readGatewayConfig } from './config.ts'
import type { GatewayConfig } from './config.ts'
import { createTokenCounter } from './counting/counter.ts'
import type { TokenCounter } from './counting/counter.ts'
import { recordReadOn, recordKeyUses } from './keys/data.ts'
import { selectKnownVendorIds } from './journal/data-made.ts'
import { withWriteTimeout } from './journal/writing/database-errors.ts'
import { createRefusalRecorder } from './requests/recorder.ts'
import { insertRefused } from './requests/data-refused.ts'
import { recordOldSecretUses } from './keys/data-secrets.ts'
import { parseProxies } from './hot/http/address.ts'
import { createFundsReader } from './accounts/funds.ts'
import type { HotDeps, QuotaAnswer, QuotaRequest } from './hot/deps.ts'
import { createJournal } from './journal/journal.ts'
import type { RunningJournal } from './journal/journal.ts'
import { createKeyCache } from './keys/cache/key-cache.ts'
import type { KeyCache } from './keys/cache/key-cache.ts'
import { loadLiveKeys, startListener } from './keys/listener.ts'
import { createNetworkReporter } from './keys/note-networks.ts'
import type { Listener } from './keys/listener.ts'
import { createQuota } from './quota/index.ts'
import type { RunningQuota } from './quota/postgres.ts'
import { cheapestFirst } from './settings.ts'
import { createUpstreams } from './upstreams/upstreams.ts'
import type { Upstreams } from './upstreams/upstreams.ts'

export interface GatewayDeps extends HotDeps {
  /** For tests: number of keys held in memory, and if notifications arrive. */
  readonly keys: { size(): number; pushed(): boolean }
  /** True while new calls are refused because the database does not accept their rows. */
  isRefusing(): boolean
  stop(): Promise<void>
}

/** Imperceptible to readers; with 20 ms between tokens it halves the writes. */
const FULL_PACE_MS = 40
const USE_WRITE_MS = 5000
/** Sums over a large account take longer than a call may wait. */
const FUNDS_MS = 5000
const MB = 1024 * 1024

/** Objects that live as long as the process. */
interface GatewayParts {
  readonly deps: Deps
  readonly config: GatewayConfig
  readonly upstreams: Upstreams
  readonly catalogue: Catalogue
  readonly journal: RunningJournal
  readonly share: RunningShare
  readonly quota: RunningQuota
  readonly counter: TokenCounter
  readonly keys: KeyCache
  readonly refused: ReturnType<typeof createRefusalRecorder>
  readonly listener: Listener
  readonly noteNetworks: ReturnType<typeof createNetworkReporter>
}

/** State of the relay in this process: keys, models and leases in memory, database notifications, the journal. */
export async function createGatewayDeps(deps: Deps): Promise<GatewayDeps> {
  const parts = await openParts(deps)
  const { db, log } = deps
  const { config, keys, catalogue, journal, quota, share, counter, refused, listener } = parts
  const timer = setInterval(() => {
    writeKeyUses(parts).catch((error: unknown) => log.warn({ err: error }, 'last use of keys not written'))
  }, USE_WRITE_MS)
  timer.unref()
  const funds = createFundsReader(db, () => deps.clock.now())
  /** A hung database refuses calls within a second, like one that is away. */
  const inTime = <T>(answer: Promise<T>): Promise<T> => withWriteTimeout(config.GATEWAY_REFUSE_MS, answer)
  return {
    findKey: (secret) => {
      const found = keys.find(secret)
      return found instanceof Promise ? inTime(found) : found
    },
    findModel: catalogue.find,
    listModels: catalogue.list,
    pricedFor: catalogue.pricedFor,
    journal,
    quota: { ...quota, take: (ask) => takeWithTimeout(quota, ask, inTime), ask: (ask) => inTime(quota.ask(ask)) },
    fundsOf: (key) => withWriteTimeout(FUNDS_MS, funds(key)),
    accountShare: share.now,
    madeFor: (accountId, ids) => inTime(selectKnownVendorIds(db, accountId, ids)),
    countTokens: counter.count,
    brand: { header: 'x-mingxi-request-id', consoleUrl: () => `${deps.siteUrl()}/api`, support: deps.config.SUPPORT_EMAIL },
    limits: readLimits(config),
    proxies: parseProxies(deps.config.TRUST_PROXY),
    log,
    metrics: callMetrics,
    noteRefused: refused.note,
    noteShort: (found) => {
      recordReadOn(db, found).catch((error: unknown) => log.error({ err: error }, 'an account whose estimates fall short was not written down'))
    },
    keys: { size: keys.size, pushed: () => listener.sure() },
    isRefusing: journal.isRefusing,
    stop: async () => {
      clearInterval(timer)
      await stopParts(parts)
    },
  }
}

/** Takes a place with a timeout; a place taken after the timeout is released. */
function takeWithTimeout(quota: RunningQuota, ask: QuotaRequest, inTime: (answer: Promise<QuotaAnswer>) => Promise<QuotaAnswer>): Promise<QuotaAnswer> {
  const answer = quota.take(ask)
  return inTime(answer).catch((error: unknown) => {
    answer.then(
      ({ taken }) => taken && quota.end(taken, 0),
      () => {},
    )
    throw error
  })
}

async function openParts(deps: Deps): Promise<GatewayParts> {
  const { db, log } = deps
  const config = readGatewayConfig(deps.config)
  const upstreams = createUpstreams(deps)
  watchGates(upstreams.gates)
  await readRoutes(deps, upstreams)
  const catalogue = await createCatalogue(db, upstreams.routesOf, { log, now: () => deps.clock.now() })
  // The journal registers this process as a node, and a share depends on the number of nodes.
  const journal: RunningJournal = await createJournal(db, log, {
    deadMs: config.GATEWAY_NODE_DEAD_MS,
    refuseMs: config.GATEWAY_REFUSE_MS,
    atRisk: () => share.now().atRisk,
  })
  const share = await createAccountShare(db, log, config.GATEWAY_NODE_DEAD_MS)
  const quota = createQuota(db, () => journal.node, { log, redisUrl: config.REDIS_URL, commandMs: config.REDIS_AWAY_MS })
  const counter = createTokenCounter(log)
  const keys = createKeyCache({ load: (hashes) => loadLiveKeys(db, hashes), pushed: () => listener.sure(), capacity: config.GATEWAY_KEYS_IN_MEMORY })
  const listener: Listener = listenForChanges(deps, { keys, journal, upstreams, catalogue })
  const refused = createRefusalRecorder({ write: (batch) => insertRefused(db, batch), log })
  return { deps, config, upstreams, catalogue, journal, share, quota, counter, keys, refused, listener, noteNetworks: createNetworkReporter() }
}

/** Reads settings uncached: a change notification arrives before a cached value expires. */
async function readRoutes({ db }: Deps, upstreams: Upstreams): Promise<void> {
  await upstreams.reload(db, await createSettings(db, 0).get(cheapestFirst))
}

/** Applies changes of other processes at once; refreshes all caches after a gap in LISTEN. */
function listenForChanges(deps: Deps, { keys, journal, upstreams, catalogue }: Pick<GatewayParts, 'keys' | 'journal' | 'upstreams' | 'catalogue'>): Listener {
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
  return startListener(
    db,
    { gateway_keys: keys.forget, account_status: keys.forgetUser, gateway_prices: reload, gateway_routes: reroute, gateway_lease_recall: journal.recalled },
    {
      onGap: () => {
        keys.forgetAll()
        reroute()
      },
      log,
    },
  )
}

const readLimits = (config: GatewayConfig): HotDeps['limits'] => ({
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

async function writeKeyUses({ deps, keys, noteNetworks }: GatewayParts): Promise<void> {
  const { db } = deps
  const used = keys.takeUsed()
  if (used.size) {
    const noted = await recordKeyUses(db, used)
    const uses = noted.map(({ keyId, userId }) => ({ userId, from: used.get(keyId)?.from ?? '' }))
    await noteNetworks(deps, uses)
  }
  const oldUses = keys.takeOldUses()
  if (oldUses.size) await recordOldSecretUses(db, oldUses)
}

async function stopParts(parts: GatewayParts): Promise<void> {
  parts.share.stop()
  await parts.quota.stop()
  await parts.refused.stop()
  await parts.journal.stop()
  await writeKeyUses(parts).catch(() => {})
  parts.catalogue.stop()
  await parts.counter.stop()
  await parts.listener.stop()
  await parts.upstreams.stop()
}
