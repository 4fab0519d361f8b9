import { allowsSandbox, readNamedSecret } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { readGatewayConfig } from '../config.ts'
import type { GatewayConfig } from '../config.ts'
import { canSell } from '../refuse-start.ts'
import { vendors } from '../vendors/index.ts'
import type { ModelVendor } from '../vendors/port.ts'

/** Vendor settings from the environment: keys, addresses, and if the sandbox may replace a vendor. */
export interface Environment {
  readonly deps: Pick<Deps, 'config' | 'publicUrl'>
  readonly config: GatewayConfig
  readonly allowsSandbox: boolean
}

/** A vendor with the key and base URL for its requests. */
export interface VendorServer {
  readonly vendor: ModelVendor
  readonly baseUrl: string
  readonly key: string
}

const SANDBOX = 'sandbox'
const SANDBOX_KEY_NAME = 'SANDBOX_UPSTREAM_KEY'

export function readEnvironment(deps: Environment['deps']): Environment {
  return { deps, config: readGatewayConfig(deps.config), allowsSandbox: allowsSandbox(deps.config, 'models') }
}

export const isSandbox = ({ id }: Pick<ModelVendor, 'id'>): boolean => id.startsWith(SANDBOX)

/** True for a sandbox in this process, whose port is known only once it listens. */
export const isOwnSandbox = ({ config }: Environment, vendor: ModelVendor): boolean => isSandbox(vendor) && !config.SANDBOX_UPSTREAM_URL

function readText({ config }: Environment, name: string): string | undefined {
  const value = config[name]
  return typeof value === 'string' && value ? value : undefined
}

export const findVendorKey = (env: Environment, vendor: ModelVendor): string | undefined =>
  readText(env, vendor.env.key) ?? (isSandbox(vendor) ? SANDBOX : undefined)

/** Returns the key in a variable whose name the table's check allows. */
export const findCredential = (env: Environment, name: string): string | undefined =>
  readText(env, name) ?? readNamedSecret(name) ?? (name === SANDBOX_KEY_NAME ? SANDBOX : undefined)

export function resolveBaseUrl(env: Environment, vendor: ModelVendor): string {
  const given = readText(env, vendor.env.baseUrl)
  if (!isSandbox(vendor)) return stripVersion(given ?? vendor.baseUrl)
  const root = env.config.SANDBOX_UPSTREAM_URL ?? `${env.deps.publicUrl()}/sandbox/upstream`
  return given ?? `${root.replace(/\/$/, '')}${vendor.id === SANDBOX ? '' : `/${vendor.id.slice(SANDBOX.length + 1)}`}`
}

/** Strips the version that SDKs require in base URLs; our paths include it. */
export function stripVersion(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1(beta)?$/, '')
}

/** Vendor of a row. In production a sandbox needs permission; elsewhere a vendor that bills us does, regardless of the row's author. */
export function findRowVendor(env: Environment, id: string, baseUrl: string): ModelVendor | undefined {
  return vendors.find((vendor) => vendor.id === id && (env.allowsSandbox || !isSandbox(vendor)) && canSell(env.deps.config, id, baseUrl))
}

/** Default server of a vendor's models without rows: the vendor if it has a key, else the sandbox that mocks it. */
export function findDefaultServer(env: Environment, id: string): Omit<VendorServer, 'baseUrl'> | undefined {
  const real = vendors.find((vendor) => vendor.id === id)
  const realKey = real && findVendorKey(env, real)
  if (real && realKey) return { vendor: real, key: realKey }
  const stand = env.allowsSandbox ? vendors.find((vendor) => vendor.id === `${SANDBOX}-${id}`) : undefined
  return stand && { vendor: stand, key: findVendorKey(env, stand) ?? SANDBOX }
}

/** Finds a vendor by its own id, if it has a key. */
export function findVendorServer(env: Environment, id: string): VendorServer | undefined {
  const vendor = vendors.find((entry) => entry.id === id)
  const key = vendor && findVendorKey(env, vendor)
  return vendor && key ? { vendor, key, baseUrl: resolveBaseUrl(env, vendor) } : undefined
}
