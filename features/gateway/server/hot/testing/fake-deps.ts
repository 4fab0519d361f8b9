import { createHash } from 'node:crypto'
import type {
  ApiKey,
  Dialect,
  HotDeps,
  KeyLimits,
  Lease,
  GatewayModel,
  ModelPrices,
  QuotaRequest,
  QuotaRefusal,
  FundsRefusal,
  ReservedCall,
  Route,
  SettledCall,
  KeyMinuteUsage,
  QuotaTake,
  UpstreamServer,
  UpstreamClient,
} from '../deps.ts'
import { createUpstreamClient } from '../upstream/client.ts'

export const TEST_KEY = 'sk-mx-test-key'
export const DRAIN_KEY = 'sk-mx-drain-key'

export const PRICES: ModelPrices = {
  version: 7,
  input: 2_000_000_000n,
  cachedInput: 200_000_000n,
  cacheWrite5m: 2_500_000_000n,
  cacheWrite1h: 4_000_000_000n,
  output: 8_000_000_000n,
  audioInput: 30_000_000_000n,
  audioOutput: 60_000_000_000n,
  imageInput: undefined,
  cachedAudio: undefined,
  cachedImage: undefined,
  longContext: undefined,
}

const UNLIMITED: KeyLimits = {
  expiresAt: undefined,
  models: undefined,
  networks: undefined,
  counted: false,
  requestsMinute: undefined,
  tokensMinute: undefined,
  atOnce: undefined,
  budget: false,
}

export const ALL_DIALECTS: readonly Dialect[] = [
  'openai-chat',
  'openai-responses',
  'openai-embeddings',
  'anthropic-messages',
  'gemini-generate',
  'gemini-embed',
]

export function anUpstream(origin: string, over: Partial<UpstreamServer> = {}, client: UpstreamClient = createUpstreamClient()): UpstreamServer {
  return {
    id: 'up-1',
    vendor: 'openai',
    origin,
    basePath: '',
    client,
    authHeaders: ['authorization', 'Bearer upstream-secret'],
    billsAfterAbort: false,
    ...over,
  }
}

export function aModel(id: string, routes: readonly Route[], over: Partial<GatewayModel> = {}): GatewayModel {
  return {
    id,
    vendor: 'openai',
    displayName: id,
    kind: 'chat',
    dialects: new Set(ALL_DIALECTS),
    capabilities: [],
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
    createdAt: 1_700_000_000,
    lifecycle: 'active',
    deprecatedAt: undefined,
    retiresAt: undefined,
    successor: undefined,
    prices: PRICES,
    routes,
    ...over,
  }
}

/** Records the journal's calls in order, with switches to make it slow or fail. */
export interface FakeJournal {
  readonly events: string[]
  readonly reserved: ReservedCall[]
  readonly settled: SettledCall[]
  readonly released: { call: ReservedCall; outcome: SettledCall['outcome']; status: number }[]
  readonly givenBack: bigint[]
  /** Leases of a process that was declared dead. */
  readonly lost: Set<bigint>
  admitAs: Lease | FundsRefusal
  reserveWith: () => Promise<void>
  settleWith: () => Promise<void>
}

export interface FakeHotDeps {
  readonly deps: HotDeps
  readonly journal: FakeJournal
  readonly models: Map<string, GatewayModel>
  readonly logs: string[]
  readonly alarms: string[]
  /** Estimates that fell short, by account. */
  readonly short: bigint[]
  /** Sets the limits of KEY. */
  readonly limit: (limits: Partial<KeyLimits>) => void
  readonly quota: FakeQuota
}

/** Records the quota's calls, with a switch for its answer. */
export interface FakeQuota {
  readonly asks: QuotaRequest[]
  readonly ends: { taken: QuotaTake; tokens: number }[]
  readonly kept: QuotaTake[]
  /** Makes `keep` report all places as lost. */
  isGone: boolean
  refusal: QuotaRefusal | undefined
  standing: KeyMinuteUsage
}

export function createFakeDeps(over: Partial<HotDeps['limits']> = {}): FakeHotDeps {
  const models = new Map<string, GatewayModel>()
  const logs: string[] = []
  const alarms: string[] = []
  const short: bigint[] = []
  const journal: FakeJournal = {
    events: [],
    reserved: [],
    settled: [],
    released: [],
    givenBack: [],
    lost: new Set(),
    admitAs: { leaseId: 1n },
    reserveWith: () => Promise.resolve(),
    settleWith: () => Promise.resolve(),
  }
  const quota: FakeQuota = { asks: [], ends: [], kept: [], isGone: false, refusal: undefined, standing: { requests: undefined, tokens: undefined } }
  const keys = new Map<string, ApiKey>(
    [TEST_KEY, DRAIN_KEY].map((secret) => [
      hashSecret(secret),
      {
        keyId: secret,
        userId: 'user-1',
        accountId: 1n,
        onDisconnect: secret === DRAIN_KEY ? 'drain' : 'abort',
      },
    ]),
  )
  const deps: HotDeps = {
    findKey: (secret) => keys.get(hashSecret(secret)),
    findModel: (id) => models.get(id),
    listModels: () => [...models.values()],
    journal: createFakeJournal(journal),
    quota: createFakeQuota(quota, journal),
    brand: { header: 'x-mingxi-request-id', consoleUrl: () => 'https://example.test/api', support: 'support@example.test' },
    limits: {
      bodyBytes: 1_000_000,
      bodyMs: 60_000,
      upstreamMs: 60_000,
      keepaliveMs: 60_000,
      slowReaderMs: 60_000,
      defaultOutputTokens: 4_096,
      drainMs: 60_000,
      ...over,
    },
    log: {
      warn: (_data, text) => {
        logs.push(text)
      },
      error: (_data, text) => {
        logs.push(text)
      },
    },
    metrics: { call: () => undefined, stream: () => undefined, alarm: (event) => void alarms.push(event) },
    noteShort: ({ accountId }) => void short.push(accountId),
    random: () => 0.99,
  }
  const limit = (limits: Partial<KeyLimits>): void => {
    keys.set(hashSecret(TEST_KEY), { ...keys.get(hashSecret(TEST_KEY))!, limits: { ...UNLIMITED, ...limits } })
  }
  return { deps, journal, models, logs, alarms, short, limit, quota }
}

/** Fake journal that follows its switches and records its calls. */
const createFakeJournal = (journal: FakeJournal): HotDeps['journal'] => ({
  admit: (_key, _amount) => journal.admitAs,
  forgo: (_lease, _amount) => {
    journal.events.push('forgo')
  },
  async reserve(call) {
    journal.events.push('reserve')
    journal.reserved.push(call)
    await journal.reserveWith()
    journal.events.push('reserved')
  },
  isWaiting: () => false,
  giveBack: (_lease, amount) => {
    journal.givenBack.push(amount)
  },
  split: () => undefined,
  isLost: (leaseId) => journal.lost.has(leaseId),
  async settle(call) {
    journal.events.push('settle')
    journal.settled.push(call)
    await journal.settleWith()
    journal.events.push('settled')
  },
  async release(call, outcome, status) {
    journal.events.push('release')
    journal.released.push({ call, outcome, status })
    await journal.settleWith()
    journal.events.push('released')
  },
})

const createFakeQuota = (quota: FakeQuota, journal: FakeJournal): NonNullable<HotDeps['quota']> => ({
  take: async (ask) => {
    quota.asks.push(ask)
    journal.events.push('take')
    const { refusal, standing } = quota
    if (refusal !== undefined) return { taken: undefined, refusal, standing }
    return { taken: { callId: ask.callId, keyId: ask.key.keyId, store: 'postgres', tokens: ask.tokens, second: 0 }, refusal, standing }
  },
  ask: async (ask) => {
    quota.asks.push(ask)
    const taken = { callId: ask.callId, keyId: ask.key.keyId, store: 'postgres', tokens: ask.tokens, second: 0 } as const
    return { taken: quota.refusal === undefined ? taken : undefined, refusal: quota.refusal, standing: quota.standing }
  },
  end: async (taken, tokens) => {
    quota.ends.push({ taken, tokens })
    journal.events.push('end')
  },
  keep: async (taken) => {
    quota.kept.push(taken)
    return !quota.isGone
  },
})

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
