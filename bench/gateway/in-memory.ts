import { hash } from 'node:crypto'
import { createRelay } from '#features/gateway/server/hot/index.ts'
import type { ApiKey, HotDeps, GatewayModel, Relay, UpstreamClient } from '#features/gateway/server/hot/index.ts'

export const BENCH_KEY = 'sk-bench'

/** One "commit" per turn of the loop for all rows of that turn, as a group commit would do. */
let waitingCommits: (() => void)[] = []
function waitForCommit(): Promise<void> {
  return new Promise((resolve) => {
    if (waitingCommits.push(resolve) > 1) return
    setImmediate(() => {
      const group = waitingCommits
      waitingCommits = []
      for (const done of group) done()
    })
  })
}

const key: ApiKey = { keyId: 'key-1', userId: 'user-1', accountId: 1n, onDisconnect: 'abort' }
const keys = new Map([[hash('sha256', BENCH_KEY), key]])
const prices = {
  version: 1,
  input: 150_000_000n,
  cachedInput: 75_000_000n,
  cacheWrite5m: undefined,
  cacheWrite1h: undefined,
  output: 600_000_000n,
  audioInput: undefined,
  audioOutput: undefined,
  imageInput: undefined,
  cachedAudio: undefined,
  cachedImage: undefined,
  longContext: undefined,
}
/** The relay with everything in memory: keys hashed and looked up, money held, reserved and settled in groups, but no database. */
export function createInMemoryRelay(client: UpstreamClient, origin: string): Relay {
  const routes = [
    {
      upstream: { id: 'mock', vendor: 'openai', origin, basePath: '', client, authHeaders: ['authorization', 'Bearer up'], billsAfterAbort: false },
      upstreamModel: 'gpt-4o-mini',
    },
  ]
  const model: GatewayModel = {
    id: 'gpt-4o-mini',
    vendor: 'openai',
    displayName: 'gpt-4o-mini',
    kind: 'chat',
    dialects: new Set(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-generate'] as const),
    capabilities: [],
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
    createdAt: 1,
    lifecycle: 'active',
    deprecatedAt: undefined,
    retiresAt: undefined,
    successor: undefined,
    prices,
    routes,
  }
  const models = new Map([[model.id, model]])

  let balance = 10n ** 18n
  const deps: HotDeps = {
    findKey: (secret) => keys.get(hash('sha256', secret)),
    findModel: (id) => models.get(id),
    listModels: () => [...models.values()],
    journal: {
      admit(_key, amount) {
        if (balance < amount) return 'insufficient_balance'
        balance -= amount
        return { leaseId: 1n }
      },
      reserve: () => waitForCommit(),
      isWaiting: () => false,
      split: () => undefined,
      giveBack: () => undefined,
      isLost: () => false,
      settle(call) {
        balance += call.held - call.amount
        return waitForCommit()
      },
      release(call) {
        balance += call.held
        return waitForCommit()
      },
    },
    brand: { header: 'x-mingxi-request-id', consoleUrl: () => 'http://127.0.0.1/api', support: 'support@mingxi.example' },
    limits: { bodyBytes: 100_000_000, bodyMs: 60_000, upstreamMs: 600_000, keepaliveMs: 15_000, slowReaderMs: 60_000, defaultOutputTokens: 4_096 },
    log: { warn: (data, text) => console.error(text, data), error: (data, text) => console.error(text, data) },
    metrics: { call: () => undefined, stream: () => undefined },
  }
  return createRelay(deps)
}
