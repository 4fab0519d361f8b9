import { isIP } from 'node:net'
import { allowsSandbox } from '#platform/server/config.ts'
import type { SettingProblem } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { isInBlockList, parseProxies } from './hot/http/address.ts'
import { vendors } from './vendors/index.ts'

type Config = Deps['config']

const realVendors = vendors.filter((vendor) => !vendor.id.startsWith('sandbox'))
const LOOPBACK = parseProxies('loopback')

/** In production, the sandbox must be allowed by name or a vendor's key must be set. */
export function findMissingVendors(config: Config, roles: ReadonlySet<string>): SettingProblem[] {
  if (!roles.has('gateway') || allowsSandbox(config, 'models') || realVendors.some((vendor) => config[vendor.env.key])) return []
  return [{ setting: realVendors.map((vendor) => vendor.env.key).join(' or '), problem: 'key of a model vendor. ALLOW_SANDBOX=models answers without one' }]
}

/**
 * Refuses to start with a real vendor's key beside sandbox payments: free sandbox money must not buy calls that we pay for. Allowed
 * if only this machine can reach the server, or if sandbox payments are enabled by name (docs/decisions/upstream-choice.md).
 */
export function rejectFreeCalls(config: Config): void {
  const keys = realVendors.filter((vendor) => config[vendor.env.key] && isRemote(config[vendor.env.baseUrl] ?? vendor.baseUrl)).map((vendor) => vendor.env.key)
  if (!keys.length || !allowsFreePayment(config)) return
  throw new Error(
    `${keys.join(', ')} ${keys.length === 1 ? 'reaches a vendor that sends' : 'reach vendors that send'} you bills, while STAGE=${config.STAGE} lets anybody pay with sandbox money. ` +
      'On your own machine set HOST=127.0.0.1 (without PUBLIC_URL); to sell, set STAGE=production; to test with others at your own expense, set ALLOW_SANDBOX=payment.',
  )
}

/** True if an upstream from a row may serve: the check of `rejectFreeCalls` for addresses added later. */
export function canSell(config: Config, vendor: string, baseUrl: string): boolean {
  return vendor.startsWith('sandbox') || !isRemote(baseUrl) || !allowsFreePayment(config)
}

/** True if strangers can pay with sandbox money without an explicit setting. */
function allowsFreePayment(config: Config): boolean {
  return allowsSandbox(config, 'payment') && !config.ALLOW_SANDBOX.includes('payment') && !isPrivate(config)
}

/** True on a developer's own machine. PUBLIC_URL means that a proxy in front of it admits others. */
function isPrivate({ STAGE, HOST, PUBLIC_URL }: Config): boolean {
  return STAGE === 'development' && isLocal(HOST) && (PUBLIC_URL === undefined || isLocal(new URL(PUBLIC_URL).hostname))
}

/** False for a mock on this machine. */
const isRemote = (baseUrl: unknown) => !isLocal(new URL(String(baseUrl)).hostname)

function isLocal(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? address === 'localhost' : isInBlockList(LOOPBACK, address)
}
