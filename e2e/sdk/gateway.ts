import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitForValue } from '#platform/testing/patience.ts'
import { createRelay } from '#features/gateway/server/hot/index.ts'
import type { ApiKey, Dialect, HotDeps, GatewayModel, ModelPrices, ReservedCall, SettledCall } from '#features/gateway/server/hot/deps.ts'
import { createUpstreamClient } from '#features/gateway/server/hot/upstream/client.ts'

/** Financial outcome of one call. */
export interface CallEnd {
  readonly callId: string
  readonly how: 'settled' | 'released'
  readonly outcome: SettledCall['outcome']
  readonly settled: SettledCall | undefined
}

/** A gateway that the byte and fault tests can point at any upstream, including the real server. */
export interface GatewayUnderTest {
  readonly baseUrl: string
  readonly apiKey: string
  /** A key whose responses are read to their end after the client disconnects. */
  readonly drainKey: string
  /** Serves every model from this origin and path prefix from now on, and clears earlier failures. */
  pointAt(origin: string, basePath?: string): Promise<void>
  /** Calls with a hold since the last `forget`. */
  reserved(): Promise<readonly ReservedCall[]>
  /** Every settlement and release since the last `forget`; a double one would show twice. */
  ends(): Promise<readonly CallEnd[]>
  forget(): Promise<void>
  /** Resolves when no call is open. */
  idle(): Promise<void>
  stop(): Promise<void>
}

const KEY = 'sk-under-test'
const DRAIN_KEY = 'sk-drains'
const apiKey: ApiKey = { keyId: 'key_1', userId: 'user_1', accountId: 1n, onDisconnect: 'abort' }
const DIALECTS: Readonly<Record<string, ReadonlySet<Dialect>>> = {
  openai: new Set<Dialect>([
    'openai-chat',
    'openai-responses',
    'openai-embeddings',
    'openai-completions',
    'openai-images',
    'openai-image-edits',
    'openai-speech',
    'openai-transcriptions',
    'openai-translations',
    'openai-moderations',
  ]),
  cohere: new Set<Dialect>(['rerank']),
  anthropic: new Set<Dialect>(['anthropic-messages']),
  google: new Set<Dialect>(['gemini-generate', 'gemini-embed']),
}
const vendorOf = (model: string): string =>
  model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'google' : model.startsWith('rerank') ? 'cohere' : 'openai'
const prices = {
  version: 1,
  input: 1_000_000_000n,
  cachedInput: 100_000_000n,
  cacheWrite5m: 1_250_000_000n,
  cacheWrite1h: 2_000_000_000n,
  output: 5_000_000_000n,
  audioInput: undefined,
  audioOutput: undefined,
  imageInput: undefined,
  cachedAudio: undefined,
  cachedImage: undefined,
  longContext: undefined,
}

/** Prices of these models for units other than text tokens. */
function unitsOf(id: string): Partial<ModelPrices> {
  if (id.includes('image')) return { imageInput: 8_000_000_000n, imageOutput: 30_000_000_000n, output: 0n }
  if (id.startsWith('tts')) return { input: 0n, output: 0n, characters: 15_000_000_000n }
  if (id.endsWith('-tts')) return { audioOutput: 12_000_000_000n }
  if (id === 'whisper-1' || id === 'gpt-transcribe') return { input: 0n, output: 0n, seconds: 100_000_000_000n }
  if (id.includes('moderation')) return { input: 0n, output: 0n }
  return id.startsWith('rerank-v4') ? { input: 0n, output: 0n, searches: 2_500_000_000_000n } : {}
}

/** The relay itself, with keys, models and journal in memory. */
export async function startRelayUnderTest(overrides: Partial<HotDeps['limits']> = {}, listed: readonly string[] = []): Promise<GatewayUnderTest> {
  const client = createUpstreamClient({ connections: 32 })
  const reserved: ReservedCall[] = []
  const ends: CallEnd[] = []
  let serial = 0
  let upstream = { origin: 'http://127.0.0.1:9', basePath: '' }

  const findModel = (id: string): GatewayModel | undefined => (id.startsWith('missing') ? undefined : modelOf(id))
  const modelOf = (id: string): GatewayModel => ({
    id,
    vendor: vendorOf(id),
    displayName: id,
    kind: id.includes('embedding') ? 'embedding' : 'chat',
    // Only the models of that route support completions.
    dialects: id.startsWith('davinci') ? DIALECTS['openai']! : new Set([...DIALECTS[vendorOf(id)]!].filter((dialect) => dialect !== 'openai-completions')),
    capabilities: [],
    contextTokens: 200_000,
    maxOutputTokens: 4_000,
    createdAt: 1,
    lifecycle: 'active',
    deprecatedAt: undefined,
    retiresAt: undefined,
    successor: undefined,
    prices: { ...prices, ...unitsOf(id) },
    routes: [
      {
        upstreamModel: id,
        // A new id for each target, so that a failed upstream in the relay's memory does not affect the next test.
        upstream: {
          id: `replay-${serial}`,
          vendor: vendorOf(id),
          ...upstream,
          client,
          authHeaders: ['authorization', 'Bearer sandbox'],
          billsAfterAbort: vendorOf(id) === 'google',
          callIdHeader: 'x-mingxi-call-id',
        },
      },
    ],
  })
  const relay = createRelay({
    findKey: (secret) => (secret === KEY ? apiKey : secret === DRAIN_KEY ? { ...apiKey, onDisconnect: 'drain' } : undefined),
    findModel,
    listModels: () => listed.map(modelOf),
    journal: {
      admit: () => ({ leaseId: 1n }),
      reserve: async (call) => void reserved.push(call),
      isWaiting: () => false,
      split: () => undefined,
      giveBack: () => undefined,
      isLost: () => false,
      settle: async (call) => void ends.push({ callId: call.callId, how: 'settled', outcome: call.outcome, settled: call }),
      release: async (call, outcome) => void ends.push({ callId: call.callId, how: 'released', outcome, settled: undefined }),
    },
    brand: { header: 'x-mingxi-request-id', consoleUrl: () => 'http://127.0.0.1/api', support: 'support@mingxi.example' },
    limits: {
      bodyBytes: 1_000_000,
      bodyMs: 5_000,
      upstreamMs: 5_000,
      keepaliveMs: 60_000,
      slowReaderMs: 60_000,
      defaultOutputTokens: 4_000,
      drainMs: 3_000,
      ...overrides,
    },
    log: { warn: () => undefined, error: () => undefined },
    metrics: { call: () => undefined, stream: () => undefined },
    // Disables the random checks of estimates.
    random: () => 0.99,
  })
  const server = createServer({ keepAliveTimeout: 120_000 }, (req, res) => relay.handle(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: KEY,
    drainKey: DRAIN_KEY,
    async pointAt(origin, basePath = '') {
      upstream = { origin, basePath }
      serial++
    },
    reserved: async () => [...reserved],
    ends: async () => [...ends],
    async forget() {
      reserved.length = 0
      ends.length = 0
    },
    async idle() {
      await waitForValue(() => relay.openCalls() === 0 || undefined, 'open calls to end', 10)
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await client.close()
    },
  }
}
