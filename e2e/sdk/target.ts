import { afterAll, beforeAll } from 'vitest'
import { startModelStandIn } from '#stand-ins/models/test-server.ts'
import { startFundedServer } from '../server.ts'
import { startRelayUnderTest } from './gateway.ts'
import { observeFetch } from './observed-fetch.ts'

/** Server under test: a running gateway, one started for the run, or the sandbox itself. */
export interface SdkTarget {
  /** Base URL without a path: the SDKs append their own. */
  readonly baseUrl: string
  readonly apiKey: string
  /** A key whose account has no money; absent if the target has none. */
  readonly poorKey: string | undefined
  readonly kind: 'gateway' | 'sandbox'
  readonly stop: () => Promise<void>
}

/** Models by role. All of them are served by the sandbox; MINGXI_MODELS (JSON) renames them for another target. */
export const SDK_MODELS = {
  chat: 'gpt-4.1-mini',
  reasoning: 'gpt-5.2',
  embedding: 'text-embedding-3-small',
  claude: 'claude-sonnet-5-5',
  gemini: 'gemini-2.5-flash',
  gemini3: 'gemini-3.8-flash',
  geminiEmbedding: 'gemini-embedding-2',
  ...(JSON.parse(process.env['MINGXI_MODELS'] ?? '{}') as Record<string, string>),
}

/**
 * MINGXI_BASE_URL and MINGXI_API_KEY name a running target. Without them the real server is started; MINGXI_SDK_TARGET=sandbox runs the
 * suite against the sandbox itself, =relay against the relay alone, with its journal in memory, connected to the sandbox.
 */
export async function openSdkTarget(): Promise<SdkTarget> {
  const baseUrl = process.env['MINGXI_BASE_URL']
  if (baseUrl) {
    return {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      apiKey: process.env['MINGXI_API_KEY'] ?? '',
      poorKey: process.env['MINGXI_POOR_KEY'],
      kind: 'gateway',
      stop: async () => undefined,
    }
  }
  if (process.env['MINGXI_SDK_TARGET'] === 'relay') return openRelay()
  if (process.env['MINGXI_SDK_TARGET'] === 'sandbox') return openSandbox()
  return openServer()
}

/** The real server, connected to a stand-in of the model vendors in this process, which compares every request with the vendors' interfaces. */
async function openServer(): Promise<SdkTarget> {
  const box = await startModelStandIn()
  const own = Object.fromEntries(['openai', 'anthropic', 'google', 'cohere'].map((vendor) => [`SANDBOX_${vendor.toUpperCase()}_URL`, `${box.url}/${vendor}`]))
  const server = await startFundedServer({ env: { SANDBOX_UPSTREAM_URL: box.url, ...own } })
  const stop = async () => {
    await server.stop()
    await box.stop()
  }
  return { baseUrl: server.baseUrl, apiKey: server.apiKey, poorKey: server.poorKey, kind: 'gateway', stop }
}

async function openSandbox(): Promise<SdkTarget> {
  const box = await startModelStandIn()
  return { baseUrl: box.url, apiKey: 'sandbox', poorKey: undefined, kind: 'sandbox', stop: box.stop }
}

async function openRelay(): Promise<SdkTarget> {
  const box = await startModelStandIn()
  const gateway = await startRelayUnderTest({}, Object.values(SDK_MODELS))
  const { origin, pathname } = new URL(box.url)
  await gateway.pointAt(origin, pathname)
  const stop = async () => {
    await gateway.stop()
    await box.stop()
  }
  return { baseUrl: gateway.baseUrl, apiKey: gateway.apiKey, poorKey: undefined, kind: 'gateway', stop }
}

/**
 * Opens the target for a test file; the object is filled before the first test. Every answer to an SDK is compared with the interface that its
 * vendor publishes; the file fails if one differs.
 */
export function useSdkTarget(): SdkTarget {
  const target = {} as SdkTarget
  let compareAnswers: () => Promise<void> = async () => {}
  beforeAll(async () => {
    Object.assign(target, await openSdkTarget())
    compareAnswers = await observeFetch(target.baseUrl)
  }, 60_000)
  afterAll(async () => {
    await compareAnswers().finally(() => target.stop?.())
  })
  return target
}
