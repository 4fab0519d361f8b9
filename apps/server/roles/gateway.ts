import type { Deps } from '#platform/server/feature.ts'
import type { FrontHandler } from '#platform/server/http/http.ts'
import { createGateway } from '#features/gateway/server/index.ts'

export interface GatewayFront extends FrontHandler {
  /** Starts shutdown: asks clients with an open socket to reconnect elsewhere. */
  leave(): void
  /** Refuses new calls; resolves when open calls are settled or after `ms`. */
  drain(ms: number): Promise<void>
  /** True while new model calls are refused because the database does not accept their rows. */
  isRefusing(): boolean
  stop(): Promise<void>
}

/** The model relay and its sandbox upstream, in front of the platform's routes on the same port. */
export async function createGatewayFront(deps: Deps, roles: ReadonlySet<string>): Promise<GatewayFront> {
  const sandbox = roles.has('sandbox') ? (await import('./stand-ins.ts')).createUpstreamStandIn(deps.config) : undefined
  const gateway = roles.has('gateway') ? await createGateway(deps) : undefined
  const isSandbox = (url: string) => url.startsWith('/sandbox/upstream/')
  return {
    handles: (url, request) => (sandbox && isSandbox(url)) || (gateway?.handles(url, request) ?? false),
    handle: (request, response) => {
      if (sandbox && isSandbox(request.url ?? '')) sandbox.handle(request, response)
      else gateway!.handle(request, response)
    },
    ...(gateway ? { clientError: gateway.clientError, lane: gateway.lane } : {}),
    upgrade: (request, socket, early) => {
      if (sandbox && isSandbox(request.url ?? '')) sandbox.upgrade(request, socket, early)
      else if (gateway) gateway.upgrade(request, socket, early)
      else socket.destroy()
    },
    leave: () => gateway?.leave(),
    drain: async (ms) => gateway?.drain(ms),
    isRefusing: () => gateway?.isRefusing() ?? false,
    stop: async () => gateway?.stop(),
  }
}
