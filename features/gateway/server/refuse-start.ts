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
 * Money of the sandbox, which anybody can make, must not buy calls that we pay for. A real vendor's key beside it refuses to
 * start, unless nobody else can reach this server, or the sandbox's payments are named (decision "Real vendors beside sandbox money").
 */
export function refuseFreeCalls(config: Config): void {
  const keys = own.filter((vendor) => config[vendor.env.key] && isFar(config[vendor.env.baseUrl] ?? vendor.baseUrl)).map((vendor) => vendor.env.key)
  if (!keys.length || !buysFree(config)) return
  throw new Error(
    `${keys.join(', ')} ${keys.length === 1 ? 'reaches a vendor that sends' : 'reach vendors that send'} you bills, while STAGE=${config.STAGE} lets anybody pay with sandbox money. ` +
      'On your own machine set HOST=127.0.0.1 (without PUBLIC_URL); to sell, set STAGE=production; to test with others at your own expense, set ALLOW_SANDBOX=payment.',
  )
}

/** Whether an upstream that rows describe may serve: what `refuseFreeCalls` says, of an address that comes later. */
export function maySell(config: Config, vendor: string, baseUrl: string): boolean {
  return vendor.startsWith('sandbox') || !isFar(baseUrl) || !buysFree(config)
}

/** Whether strangers can pay with sandbox money although nobody said so. */
function buysFree(config: Config): boolean {
  return allowsSandbox(config, 'payment') && !config.ALLOW_SANDBOX.includes('payment') && !isPrivate(config)
}

/** A developer's own machine. PUBLIC_URL says that something in front of it lets others in. */
function isPrivate({ STAGE, HOST, PUBLIC_URL }: Config): boolean {
  return STAGE === 'development' && isLocal(HOST) && (PUBLIC_URL === undefined || isLocal(new URL(PUBLIC_URL).hostname))
}

/** False for a stand-in on this machine. */
const isFar = (baseUrl: unknown) => !isLocal(new URL(String(baseUrl)).hostname)

function isLocal(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? address === 'localhost' : isWithin(LOOPBACK, address)
}
