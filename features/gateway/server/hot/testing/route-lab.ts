import type { GatewayModel, Route, UpstreamServer, GateLimits } from '../deps.ts'
import { createGate } from '../choice/gate.ts'
import { aModel, anUpstream } from './fake-deps.ts'
import { startFakeUpstream, formatHttpJson } from './fake-upstream.ts'
import type { FakeUpstream } from './fake-upstream.ts'
import { openLab } from './lab.ts'
import type { Lab, LabOptions } from './lab.ts'

/** A route to a separate fake upstream. */
export interface ServedRoute {
  readonly fake: FakeUpstream
  readonly upstream: UpstreamServer
}

export interface RouteLab extends Omit<Lab, 'upstream' | 'second'> {
  readonly served: readonly ServedRoute[]
  /** Calls received by each upstream, in the order of `served`. */
  counts(): number[]
}

export const NO_GATE_LIMITS: GateLimits = { concurrent: undefined, perMinute: undefined, queueLength: 100, queueMs: 2_000 }
const OK_BODY = { id: 'x', choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }
export const OK_RESPONSE = formatHttpJson(OK_BODY)

/** A relay whose model `m` is served by `count` upstreams, each answering at once by default. */
export async function openRouteLab(
  count: number,
  more: {
    route?: (n: number) => Partial<Route>
    limits?: (n: number) => Partial<GateLimits> | undefined
    lab?: LabOptions
    model?: Partial<GatewayModel>
  } = {},
): Promise<RouteLab> {
  const lab = await openLab(more.lab)
  // A secret with an account's number is a key of that account.
  const { findKey } = lab.deps
  Object.assign(lab.deps, {
    findKey: (secret: string) =>
      /^\d+$/.test(secret) ? { keyId: secret, userId: `user-${secret}`, accountId: BigInt(secret), onDisconnect: 'drain' as const } : findKey(secret),
  })
  const served: ServedRoute[] = []
  for (let n = 0; n < count; n++) {
    const fake = await startFakeUpstream()
    fake.answer = (_seen, socket) => {
      socket.write(OK_RESPONSE)
    }
    const limits = more.limits?.(n)
    const id = `up-${String.fromCodePoint(97 + n)}`
    served.push({ fake, upstream: anUpstream(fake.origin, { id, ...(limits && { gate: createGate(id, { ...NO_GATE_LIMITS, ...limits }) }) }) })
  }
  const routes = served.map(({ upstream }, n): Route => ({ upstream, upstreamModel: 'm', ...more.route?.(n) }))
  lab.models.set('m', aModel('m', routes, more.model))
  return {
    ...lab,
    served,
    counts: () => served.map(({ fake }) => fake.seen.length),
    close: async () => {
      await lab.close()
      await Promise.all(served.flatMap(({ fake, upstream }) => [fake.close(), upstream.client.close()]))
    },
  }
}
