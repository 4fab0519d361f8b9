import { deriveKey } from '#platform/server/sealing/seal.ts'
import type { SettingProblem } from '#platform/server/config.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import type { ConfigHolder } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { alipay } from './alipay/index.ts'
import { nihaopay } from './nihaopay/index.ts'
import type { Channel, ChannelTools, ChannelVendor } from './port.ts'
import { sandbox } from './sandbox/index.ts'
import { stripe } from './stripe/index.ts'
import { wechatPay } from './wechat-pay/index.ts'

export const agreementPort = {
  port: 'payments.agreement',
  operations: { sign: 'write', lookUp: 'read', charge: 'write', revoke: 'write' },
  vendors: ['alipay', 'stripe', 'sandbox'],
} as const satisfies SupplierPort

/** The payment channels, in the order of the picker, one line each. */
export const channelRegistry = createVendorRegistry<ChannelVendor, ConfigHolder>({
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
  vendors: [alipay, wechatPay, nihaopay, stripe, sandbox],
  sandbox: 'payment',
  wrapWithFaults: (channel, wrap) => ({ ...wrap(channel), ...(channel.agreements ? { agreements: wrap(channel.agreements, agreementPort) } : {}) }),
})

export const { port: channelPort, list: listChannels, find: findChannelByName } = channelRegistry

export function findChannelById(deps: ConfigHolder, id: number): Channel | undefined {
  return listChannels(deps).find((channel) => channel.manifest.id === id)
}

/** Roles that take, query or refund money. */
const PAYMENT_ROLES = ['api', 'worker', 'console'] as const

/** A channel needs credentials, and existing ones must be valid: an error stops the start, not the first payment. */
export function findChannelProblems(config: ConfigHolder['config'], roles: ReadonlySet<string>): SettingProblem[] {
  if (!PAYMENT_ROLES.some((role) => roles.has(role))) return []
  try {
    if (listChannels({ config }).length) return []
  } catch (error) {
    return [{ setting: 'payment channel', problem: (error as Error).message }]
  }
  return [{ setting: 'payment channel', problem: 'credentials of at least one, docs/settings.md names them. ALLOW_SANDBOX=payment takes no real money' }]
}

export function createChannelTools(deps: Deps): ChannelTools {
  return { ...createSupplierTools(deps), secret: (purpose) => deriveKey(deps.secretKey, `payments.${purpose}`) }
}

/** Pages and jobs of the sandboxes. */
export const channelSandboxRoutes: readonly RawRoute[] = channelRegistry.createSandboxRoutes(
  createChannelTools,
  channelRegistry.vendors.flatMap(({ outside }) => outside?.routes ?? []),
)

export const channelSandboxJobs: readonly JobSpec[] = channelRegistry.vendors.flatMap(({ name, outside }) =>
  outside
    ? [
        {
          name: `payments.outside-${name}`,
          everyMs: 300,
          handle: async (deps: Deps) => {
            if (channelRegistry.allowsTests(deps.config)) await outside.work(createChannelTools(deps))
          },
        },
      ]
    : [],
)

export const channelSandboxPanels = channelRegistry.vendors.flatMap(({ outside }) => (outside ? [(deps: Deps) => outside.panel(createChannelTools(deps))] : []))
