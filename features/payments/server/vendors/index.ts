import { hkdfSync } from 'node:crypto'
import { allowsSandbox } from '#platform/server/config.ts'
import type { PlatformConfig, SettingProblem } from '#platform/server/config.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { alipay } from './alipay/index.ts'
import { nihaopay } from './nihaopay/index.ts'
import type { Channel, ChannelConfig, ChannelTools, ChannelVendor, ChannelSandboxTools } from './port.ts'
import { sandbox } from './sandbox/index.ts'
import { stripe } from './stripe/index.ts'
import { wechatPay } from './wechat-pay/index.ts'

/** The payment channels, in the order of the picker, one line each. */
export const channelVendors: readonly ChannelVendor[] = [alipay, wechatPay, nihaopay, stripe, sandbox]

export const channelPort = {
  port: 'payments.channel',
  operations: {
    open: 'write',
    query: 'read',
    close: 'write',
    refund: 'write',
    queryRefund: 'read',
    contest: 'write',
    balance: 'read',
    certificates: 'read',
    statement: 'read',
  },
  vendors: channelVendors.map(({ name }) => name),
} as const satisfies SupplierPort

export const agreementPort = {
  port: 'payments.agreement',
  operations: { sign: 'write', lookUp: 'read', charge: 'write', revoke: 'write' },
  vendors: ['alipay', 'stripe', 'sandbox'],
} as const satisfies SupplierPort

type Stage = Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'>
const connected = new WeakMap<object, readonly Channel[]>()

/** Channels whose credentials this configuration holds. A sandbox takes no real money, so in production it must be allowed by name. */
export function listChannels(config: Stage & ChannelConfig): readonly Channel[] {
  const known = connected.get(config)
  if (known) return known
  const channels = channelVendors
    .filter((vendor) => !vendor.sandbox || allowsSandbox(config, 'payment'))
    .map((vendor) => (vendor.sandbox ? withInjectedFaults(vendor.connect(config)) : vendor.connect(config)))
    .filter((channel) => channel !== undefined)
  connected.set(config, channels)
  return channels
}

/** Wraps a sandbox channel with the injected faults. */
function withInjectedFaults(channel: Channel | undefined): Channel | undefined {
  const sourceOf = ([tools]: readonly unknown[]) => (tools as ChannelTools).faults
  const agreements = channel?.agreements && withFaults(agreementPort, channel.agreements, sourceOf)
  return channel && { ...withFaults(channelPort, channel, sourceOf), ...(agreements ? { agreements } : {}) }
}

export function findChannelById(config: Stage & ChannelConfig, id: number): Channel | undefined {
  return listChannels(config).find((channel) => channel.manifest.id === id)
}

export function findChannelByName(config: Stage & ChannelConfig, name: string): Channel | undefined {
  return listChannels(config).find((channel) => channel.manifest.name === name)
}

/** Roles that take, query or refund money. */
const PAYMENT_ROLES = ['api', 'worker', 'console'] as const

/** A channel needs credentials, and existing ones must be valid: an error stops the start, not the first payment. */
export function findChannelProblems(config: Stage & ChannelConfig, roles: ReadonlySet<string>): SettingProblem[] {
  if (!PAYMENT_ROLES.some((role) => roles.has(role))) return []
  try {
    if (listChannels(config).length) return []
  } catch (error) {
    return [{ setting: 'payment channel', problem: (error as Error).message }]
  }
  return [{ setting: 'payment channel', problem: 'credentials of at least one, docs/settings.md names them. ALLOW_SANDBOX=payment takes no real money' }]
}

export function createChannelTools(deps: Deps): ChannelTools {
  return {
    fetch: globalThis.fetch,
    now: () => deps.clock.now(),
    log: deps.log,
    publicUrl: deps.publicUrl,
    faults: deps.db,
    secret: (purpose) => Buffer.from(hkdfSync('sha256', deps.secretKey, Buffer.alloc(0), `payments.${purpose}`, 32)),
  }
}

export function createChannelSandboxTools(deps: Deps): ChannelSandboxTools {
  return { ...createChannelTools(deps), query: (text, values) => deps.db.query(text, values) as Promise<never[]> }
}

const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }

/** Pages and jobs of the sandboxes. */
export const channelSandboxRoutes: readonly RawRoute[] = channelVendors
  .flatMap(({ outside }) => outside?.routes ?? [])
  .map(({ handle, ...route }) => ({
    ...route,
    role: 'sandbox',
    handle: async (deps, request) => (allowsSandbox(deps.config, 'payment') ? handle(createChannelSandboxTools(deps), request) : NOT_FOUND),
  }))

export const channelSandboxJobs: readonly JobSpec[] = channelVendors.flatMap(({ name, outside }) =>
  outside
    ? [
        {
          name: `payments.outside-${name}`,
          everyMs: 300,
          handle: async (deps: Deps) => {
            if (allowsSandbox(deps.config, 'payment')) await outside.work(createChannelSandboxTools(deps))
          },
        },
      ]
    : [],
)

export const channelSandboxPanels = channelVendors.flatMap(({ outside }) => (outside ? [(deps: Deps) => outside.panel(createChannelSandboxTools(deps))] : []))
