import { isIP } from 'node:net'
import { allowsSandbox } from '#platform/server/config.ts'
import type { SettingProblem } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { isWithin, proxiesOf } from './hot/http/address.ts'
import { vendors } from './vendors/index.ts'

type Config = Deps['config']

const own = vendors.filter((vendor) => !vendor.id.startsWith('sandbox'))
const LOOPBACK = proxiesOf('loopback')

/** In production the sandbox must be allowed by name, or a vendor's key must be there. */
export function missingVendors(config: Config, roles: ReadonlySet<string>): SettingProblem[] {
  if (!roles.has('gateway') || allowsSandbox(config, 'models') || own.some((vendor) => config[vendor.env.key])) return []
  return [{ setting: own.map((vendor) => vendor.env.key).join(' or '), problem: 'key of a model vendor. ALLOW_SANDBOX=models answers without one' }]
}

/**
 * Refuses to start with a real vendor's key beside sandbox payments: free sandbox money must not buy calls that we pay for. Allowed
 * if only this machine can reach the server, or if sandbox payments are enabled by name (docs/decisions/upstream-choice.md).
 */
export function refuseFreeCalls(config: Config): void {
  const keys = own.filter((vendor) => config[vendor.env.key] && isFar(config[vendor.env.baseUrl] ?? vendor.baseUrl)).map((vendor) => vendor.env.key)
  if (!keys.length || !buysFree(config)) return
  throw new Error(
    `${keys.join(', ')} ${keys.length === 1 ? 'reaches a vendor that sends' : 'reach vendors that send'} you bills, while STAGE=${config.STAGE} lets anybody pay with sandbox money. ` +
      'On your own machine set HOST=127.0.0.1 (without PUBLIC_URL); to sell, set STAGE=production; to test with others at your own expense, set ALLOW_SANDBOX=payment.',
  )
}

/** True if an upstream from a row may serve: the check of `refuseFreeCalls` for addresses added later. */
export function maySell(config: Config, vendor: string, baseUrl: string): boolean {
  return vendor.startsWith('sandbox') || !isFar(baseUrl) || !buysFree(config)
}

/** True if strangers can pay with sandbox money without an explicit setting. */
function buysFree(config: Config): boolean {
  return allowsSandbox(config, 'payment') && !config.ALLOW_SANDBOX.includes('payment') && !isPrivate(config)
}

/** A developer's own machine. PUBLIC_URL means that a proxy in front of it lets others in. */
function isPrivate({ STAGE, HOST, PUBLIC_URL }: Config): boolean {
  return STAGE === 'development' && isLocal(HOST) && (PUBLIC_URL === undefined || isLocal(new URL(PUBLIC_URL).hostname))
}

/** False for a stand-in on this machine. */
const isFar = (baseUrl: unknown) => !isLocal(new URL(String(baseUrl)).hostname)

function isLocal(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? address === 'localhost' : isWithin(LOOPBACK, address)
}
