import { setTimeout as sleep } from 'node:timers/promises'
import { buildLoadRequest } from '../nodes/load.ts'

/** One model call as the client saw it. */
interface ObservedCall {
  readonly from: number
  readonly to: number
  /** 0 if no response arrived. */
  readonly status: number
  /** True if the body has the shape of the vendor's own success or error. */
  readonly isShaped: boolean
}

interface ReadinessProbe {
  readonly at: number
  readonly node: string
  readonly ready: boolean
}

export interface CallWatch {
  /** Calls that have ended so far. */
  readonly seen: readonly ObservedCall[]
  readonly looked: readonly ReadinessProbe[]
  stop(): Promise<void>
}

export interface CallWatchOptions {
  /** Nodes to call; read before each call, because a rolling restart changes them. */
  readonly nodes: readonly string[]
  readonly keys: readonly string[]
  /** Calls per second in total. */
  readonly rate: number
}

const MODELS = ['gpt-6-luna', 'claude-haiku-5-5', 'gemini-3.8-flash'] as const
const PROBE_INTERVAL_MS = 100
/** Longer than any measured wait; a call without a response by then has hung. */
const CALL_TIMEOUT_MS = 60_000

/** Sends a light, steady load over all nodes and dialects: each call starts on schedule, regardless of the duration of earlier calls. */
export function watchCalls({ nodes, keys, rate }: CallWatchOptions): CallWatch {
  const seen: ObservedCall[] = []
  const looked: ReadinessProbe[] = []
  const open = new Set<Promise<void>>()
  let stopped = false
  const track = (work: Promise<void>) => {
    open.add(work)
    void work.finally(() => open.delete(work))
  }
  const calls = async () => {
    for (let number = 0; !stopped; number++) {
      track(send(nodes[number % nodes.length]!, keys[number % keys.length]!, MODELS[number % 3]!).then((one) => void seen.push(one)))
      await sleep(1000 / rate)
    }
  }
  const looks = async () => {
    while (!stopped) {
      for (const node of nodes) track(probeReadiness(node).then((one) => void looked.push(one)))
      await sleep(PROBE_INTERVAL_MS)
    }
  }
  const running = [calls(), looks()]
  return {
    seen,
    looked,
    stop: async () => {
      stopped = true
      await Promise.all(running)
      await Promise.all(open)
    },
  }
}

async function send(node: string, key: string, model: string): Promise<ObservedCall> {
  const from = performance.now()
  const [path, body] = buildLoadRequest(model, false, { prompt: 'drill', cap: 20 })
  try {
    const reply = await fetch(`${node}${path}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    const text = await reply.text()
    return { from, to: performance.now(), status: reply.status, isShaped: reply.status === 200 || isVendorError(model, text) }
  } catch {
    return { from, to: performance.now(), status: 0, isShaped: false }
  }
}

interface ErrorBody {
  readonly type?: string
  readonly error?: { readonly message?: string; readonly type?: string; readonly status?: string }
}

function isVendorError(model: string, text: string): boolean {
  try {
    const { type, error } = JSON.parse(text) as ErrorBody
    if (typeof error?.message !== 'string') return false
    if (model.startsWith('claude')) return type === 'error' && typeof error.type === 'string'
    return typeof (model.startsWith('gemini') ? error.status : error.type) === 'string'
  } catch {
    return false
  }
}

async function probeReadiness(node: string): Promise<ReadinessProbe> {
  const ready = await fetch(`${node}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    async (reply) => (await reply.arrayBuffer(), reply.status === 200),
    () => false,
  )
  return { at: performance.now(), node, ready }
}

const formatSeconds = (ms: number | undefined): string => (ms === undefined ? 'never' : `${(ms / 1000).toFixed(2)} s`)
const computeQuantile = (sorted: readonly number[], part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

/** Computes the figures of one fault, from its injection until `healed`, when its cause was removed. */
export function summarizeFaultImpact({ seen, looked }: CallWatch, broken: number, healed: number): Record<string, string | number> {
  const during = seen.filter(({ from }) => from >= broken && from < healed)
  const refused = during.filter(({ status }) => status !== 200)
  const refusedMs = refused.map(({ from, to }) => to - from).toSorted((a, b) => a - b)
  // started during the fault and succeeded after it: dialled before the fault was noticed
  const waited = during.filter(({ status, to }) => status === 200 && to > healed)
  const after = seen.filter(({ from }) => from >= healed)
  const lastBad = after.filter(({ status }) => status !== 200).reduce((last, { to }) => Math.max(last, to), healed)
  const nodes = new Set(looked.map(({ node }) => node)).size
  const turned = (ready: boolean, since: number) => {
    const first = new Map<string, number>()
    for (const one of looked) if (one.at >= since && one.ready === ready && !first.has(one.node)) first.set(one.node, one.at)
    return first.size < nodes ? undefined : Math.max(...first.values()) - since
  }
  return {
    'calls during the fault': during.length,
    'refused': refused.length,
    'refused within a second': refusedMs.filter((ms) => ms <= 1000).length,
    'refusal p50 and longest': `${computeQuantile(refusedMs, 0.5).toFixed(0)} and ${(refusedMs.at(-1) ?? 0).toFixed(0)} ms`,
    'in the vendor’s shape': refused.filter(({ isShaped }) => isShaped).length,
    'without an answer': seen.filter(({ status }) => status === 0).length,
    'waited for the database and were answered': waited.length,
    'all calls answered again after': formatSeconds(lastBad - healed),
    'refused after the end of the fault': after.filter(({ status }) => status !== 200).length,
    '/readyz 503 on all nodes after the first refusal': formatSeconds(turned(false, Math.min(...refused.map(({ to }) => to)))),
    '/readyz 200 on all nodes after the end of the fault': formatSeconds(turned(true, healed)),
  }
}
