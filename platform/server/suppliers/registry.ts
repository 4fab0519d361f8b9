import { allowsSandbox } from '../config.ts'
import type { ConfigShape, PlatformConfig, SettingProblem } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { RawReply, RawRequest } from '../feature-parts.ts'
import type { RawRoute } from '../feature.ts'
import { withFaults } from './faults.ts'
import type { FaultSource } from './faults.ts'
import type { SupplierPort } from './ports.ts'

/** Environment variables as a vendor's folder reads them. */
export type SupplierConfig = Readonly<Record<string, unknown>>
type Stage = Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'>
export type SandboxName = Parameters<typeof allowsSandbox>[1]

/** Entry point of a vendor's folder. A port adds its own fields. */
export interface SupplierVendor<S extends object, T = void> {
  readonly name: string
  /** True for a simulated company: it serves in production only if ALLOW_SANDBOX names it. */
  readonly sandbox?: boolean
  /**
   * Names of settings that point at a test: another address than the vendor's, or a test key; empty for a live account. Production refuses to
   * start with one, unless ALLOW_SANDBOX names the port's.
   */
  readonly listTestSettings?: (config: SupplierConfig) => readonly string[]
  /** True for our own implementation: it serves everywhere, and faults can be injected where sandboxes may run. */
  readonly own?: boolean
  readonly env?: ConfigShape
  /** Undefined without credentials; throws if they are incomplete or invalid. The message names variables, never values. */
  connect(config: SupplierConfig, tools: T): S | undefined
}

interface AnyVendor extends Omit<SupplierVendor<object>, 'connect'> {
  connect(config: SupplierConfig, tools: unknown): object | undefined
}
type SupplierOf<V extends AnyVendor> = NonNullable<ReturnType<V['connect']>>
/** Dependencies of a port whose methods take their tools with each call. */
export interface ConfigHolder {
  readonly config: Stage & SupplierConfig
}
interface RegistryDeps extends ConfigHolder {
  readonly db?: Deps['db']
}
/** Injects the planted faults of a port, the registry's own by default. */
type InjectFaults = <T extends object>(adapter: T, port?: SupplierPort) => T

interface RegistryOptions<V extends AnyVendor, D extends RegistryDeps> extends Omit<SupplierPort, 'vendors'> {
  /** One line per vendor, in order of preference. */
  readonly vendors: readonly V[]
  /** Name in ALLOW_SANDBOX that lets this port's sandboxes run in production. */
  readonly sandbox: SandboxName
  /** Sandboxes are connected only while no real vendor is. */
  readonly isSandboxFallback?: true
  /** Tools given to `connect`. Absent if the port's methods take their tools as the first argument of each call. */
  readonly createTools?: (deps: NoInfer<D>, vendor: string) => Parameters<V['connect']>[1]
  /** Connects at each call, for tools that depend on the request. */
  readonly reconnects?: true
  /** For a supplier that has a second port inside. */
  readonly wrapWithFaults?: (supplier: SupplierOf<V>, inject: InjectFaults) => SupplierOf<V>
}

/** True if the vendor is a simulated company, or a real one reached by a test account. */
const isTest = (vendor: AnyVendor, config: SupplierConfig): boolean => vendor.sandbox === true || (vendor.listTestSettings?.(config).length ?? 0) > 0

/** The vendors of one port: names, environment, connections, injected faults, and the refusal of sandboxes in production. */
export function createVendorRegistry<V extends AnyVendor, D extends RegistryDeps = Deps>(options: RegistryOptions<V, D>) {
  type S = SupplierOf<V>
  type Connection = readonly [name: string, supplier: S]
  const { vendors, sandbox, createTools } = options
  const names = vendors.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Error(`${options.port}: two vendors have one name among ${names.join(', ')}`)
  const allowsTests = (config: Stage): boolean => allowsSandbox(config, sandbox)
  const findTestProblems = (config: Stage & SupplierConfig): readonly SettingProblem[] =>
    vendors.flatMap(({ name, listTestSettings }) => {
      const settings = allowsTests(config) ? [] : (listTestSettings?.(config) ?? [])
      return settings.map((setting) => ({ setting, problem: `a test of ${name}: production needs the live address and key, or ALLOW_SANDBOX=${sandbox}` }))
    })
  const unmarked = vendors.filter(({ sandbox: isSandbox, own, listTestSettings }) => !isSandbox && !own && !listTestSettings).map(({ name }) => name)
  const port: SupplierPort = { port: options.port, operations: options.operations, vendors: names, unmarked, findTestProblems }
  const listAllowed = (config: Stage): readonly V[] => vendors.filter((vendor) => vendor.sandbox !== true || allowsTests(config))

  const connect = (deps: D, vendor: V): readonly Connection[] => {
    const supplier = vendor.connect(deps.config, createTools?.(deps, vendor.name)) as S | undefined
    if (!supplier) return []
    const isSimulated = isTest(vendor, deps.config)
    if (isSimulated && !allowsTests(deps.config)) return []
    if (!(isSimulated || vendor.own) || !allowsTests(deps.config)) return [[vendor.name, supplier]]
    const inject: InjectFaults = (adapter, itsPort = port) => withFaults(itsPort, adapter, createTools ? () => deps.db : findQueryTool)
    return [[vendor.name, options.wrapWithFaults?.(supplier, inject) ?? inject(supplier)]]
  }
  const connectAll = (deps: D): readonly Connection[] => {
    const allowed = listAllowed(deps.config)
    if (!options.isSandboxFallback) return allowed.flatMap((vendor) => connect(deps, vendor))
    const real = allowed.filter((vendor) => vendor.sandbox !== true).flatMap((vendor) => connect(deps, vendor))
    return real.length ? real : allowed.filter((vendor) => vendor.sandbox === true).flatMap((vendor) => connect(deps, vendor))
  }

  // Also by database: a request's may be read-only or a transaction, which a later request must not use.
  const known = new WeakMap<object, WeakMap<object, readonly Connection[]>>()
  const readConnections = (deps: D): readonly Connection[] => {
    if (options.reconnects) return connectAll(deps)
    const ofConfig = known.get(deps.config) ?? new WeakMap<object, readonly Connection[]>()
    const key = createTools ? (deps.db ?? deps.config) : deps.config
    const connections = ofConfig.get(key) ?? connectAll(deps)
    known.set(deps.config, ofConfig.set(key, connections))
    return connections
  }
  const replacements = new WeakMap<object, readonly S[]>()
  const list = (deps: D): readonly S[] => replacements.get(deps.config) ?? readConnections(deps).map(([, supplier]) => supplier)
  const isNamed = (supplier: S, name: string) => (supplier as { readonly name?: string }).name === name

  return {
    vendors,
    port,
    env: Object.assign({}, ...vendors.map(({ env }) => env)) as ConfigShape,
    allowsTests,
    /** Vendors that may serve under this configuration, with or without credentials. */
    listAllowed,
    /** Connected suppliers, in order of preference. */
    list,
    first: (deps: D): S | undefined => list(deps)[0],
    /** The supplier of an existing order; undefined once its credentials are removed. */
    find: (deps: D, name: string): S | undefined =>
      replacements.get(deps.config)?.find((supplier) => isNamed(supplier, name)) ?? readConnections(deps).find(([own]) => own === name)?.[1],
    getVendor: (name: string): V => {
      const vendor = vendors.find((each) => each.name === name)
      if (!vendor) throw new Error(`${port.port} has no vendor ${name}, only ${names.join(', ')}`)
      return vendor
    },
    /** For tests: suppliers with records of their own replace the connected ones of this configuration. */
    replace: ({ config }: Pick<D, 'config'>, suppliers: readonly S[]): void => void replacements.set(config, suppliers),
    /** Pages of the sandboxes; 404 where sandboxes may not run. */
    createSandboxRoutes: <T>(toTools: (deps: Deps) => T, pages: readonly SandboxPage<T>[]): readonly RawRoute[] =>
      pages.map(({ handle, ...page }) => ({
        ...page,
        role: 'sandbox',
        handle: async (deps, request) => (allowsTests(deps.config) ? handle(toTools(deps), request) : NOT_FOUND),
      })),
  }
}

export interface SandboxPage<T> extends Omit<RawRoute, 'role' | 'handle'> {
  readonly handle: (tools: T, request: RawRequest) => Promise<RawReply>
}
const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }

/** Tools that come with each call are its first argument. */
function findQueryTool([tools]: readonly unknown[]): FaultSource {
  const source = tools as FaultSource
  return typeof source?.query === 'function' ? source : undefined
}
