import { hkdfSync } from 'node:crypto'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import type { Channel, ChannelTools, OutsideTools } from './port.ts'
import { sandbox } from './sandbox/index.ts'

/** The payment channels, in the order of the picker. One line each. */
export const channels: readonly Channel[] = [sandbox]

export function channelById(id: number): Channel | undefined {
  return channels.find((channel) => channel.manifest.id === id)
}

export function channelByName(name: string): Channel | undefined {
  return channels.find((channel) => channel.manifest.name === name)
}

/** A sandbox takes no real money: in production it must be allowed by name, or nothing starts. */
export function refuseSandboxes(config: Deps['config']): void {
  const names = channels.filter(({ manifest }) => manifest.sandbox).map(({ manifest }) => manifest.name)
  if (names.length && config.STAGE === 'production' && !config.ALLOW_SANDBOX.includes('payment')) {
    throw new Error(`payment channel ${names.join(', ')} takes no real money: set ALLOW_SANDBOX=payment or remove it`)
  }
}

export function toolsFor(deps: Deps): ChannelTools {
  return {
    fetch: globalThis.fetch,
    now: () => deps.clock.now(),
    log: deps.log,
    publicUrl: deps.publicUrl,
    secret: (purpose) => Buffer.from(hkdfSync('sha256', deps.secretKey, Buffer.alloc(0), `payments.${purpose}`, 32)),
  }
}

export function outsideTools(deps: Deps): OutsideTools {
  return { ...toolsFor(deps), query: (text, values) => deps.db.query(text, values) as Promise<never[]> }
}

/** The sandboxes' own pages and work. */
export const outsideRoutes: readonly RawRoute[] = channels
  .flatMap(({ outside }) => outside?.routes ?? [])
  .map(({ handle, ...route }) => ({ ...route, role: 'sandbox', handle: (deps, request) => handle(outsideTools(deps), request) }))

export const outsideJobs: readonly JobSpec[] = channels.flatMap(({ manifest, outside }) =>
  outside ? [{ name: `payments.outside-${manifest.name}`, everyMs: 300, handle: (deps: Deps) => outside.work(outsideTools(deps)) }] : [],
)

export const outsidePanels = channels.flatMap(({ outside }) => (outside ? [(deps: Deps) => outside.panel(outsideTools(deps))] : []))
