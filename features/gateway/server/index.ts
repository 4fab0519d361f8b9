import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Deps } from '#platform/server/feature.ts'
import { defineFeature } from '#platform/server/feature.ts'
import type { FrontHandler } from '#platform/server/http/http.ts'
import { gatewayErrors } from '../contract.ts'
import { gatewayTexts } from '../texts.ts'
import type { DueAlert } from './alerts/watch.ts'
import { sealedAlertColumns } from './alerts/deliver-webhook.ts'
import { gatewayConfig } from './config.ts'
import { createRelay } from './hot/index.ts'
import { repairCommands } from './journal/repairs/commands.ts'
import { priceCommands } from './desk/price-commands.ts'
import { keyCommands } from './keys/commands.ts'
import { deskRoutes } from './desk/routes.ts'
import { gatewayJobs } from './jobs.ts'
import { gatewayPersonal } from './personal.ts'
import { rejectFreeCalls, findMissingVendors } from './refuse-start.ts'
import { alertRoutes, forwardRoutes, gatewayRoutes, keyRoutes, requestRoutes, usageRoutes } from './routes.ts'
import { createGatewayDeps } from './runtime.ts'
import { seedPrices } from './catalogue/seed.ts'
import { gatewaySettings } from './settings.ts'
import { endKeys } from './keys/change-key.ts'
import { termsCommands } from './desk/terms-commands.ts'
import { registerUsageSource } from '#features/wallet/server/door.ts'
import { countCalls } from './usage/data-sums.ts'
import { gatewayUsage } from './usage/funds-source.ts'
import { readUpstreamBalances } from './upstreams/balances.ts'
import { routeCommands } from './upstreams/commands.ts'
import { sealedUpstreamKeyColumns } from './upstreams/keys/upstream-key.ts'

registerUsageSource(gatewayUsage)

export const gateway = defineFeature({
  name: 'gateway',
  texts: gatewayTexts,
  errors: gatewayErrors,
  routes: [gatewayRoutes, keyRoutes, forwardRoutes, requestRoutes, usageRoutes, alertRoutes],
  consoleRoutes: [deskRoutes],
  commands: [...keyCommands, ...routeCommands, ...priceCommands, ...termsCommands, ...repairCommands],
  jobs: gatewayJobs,
  settings: gatewaySettings,
  config: gatewayConfig,
  sealed: [...sealedAlertColumns, ...sealedUpstreamKeyColumns],
  balances: (deps) => readUpstreamBalances(deps),
  personal: gatewayPersonal,
  counted: { calls: ({ db }) => countCalls(db) },
  events: [
    ...['user.deleted', 'user.secrets-dropped'].map((event) => ({ event, name: 'gateway', handle: endKeys })),
    {
      event: 'gateway.alert',
      name: 'gateway.alert',
      handle: async (deps: Deps, news: DueAlert) => (await import('./alerts/send-alert.ts')).sendAlert(deps, news),
    },
  ],
  missing: findMissingVendors,
  start: async (deps, roles) => {
    if (roles.has('gateway')) rejectFreeCalls(deps.config)
    await seedPrices(deps)
  },
})

export interface Gateway extends FrontHandler {
  /** Handlers for the server's `clientError` and `upgrade` events. */
  clientError(error: NodeJS.ErrnoException, socket: Duplex): void
  upgrade(request: IncomingMessage, socket: Duplex, early: Buffer): void
  leave(): void
  drain(ms: number): Promise<void>
  isRefusing(): boolean
  stop(): Promise<void>
}

/** Starts the gateway role: the relay with its dependencies. `drain` lets open calls finish, `stop` writes the last rows. */
export async function createGateway(deps: Deps): Promise<Gateway> {
  const hot = await createGatewayDeps(deps)
  const relay = createRelay(hot)
  return {
    handles: (url, request) => relay.handles(url, request.rawHeaders),
    handle: relay.handle,
    lane: { takes: relay.handles, handle: relay.handle },
    clientError: relay.clientError,
    upgrade: relay.upgrade,
    leave: relay.leave,
    drain: relay.drain,
    isRefusing: hot.isRefusing,
    stop: hot.stop,
  }
}
