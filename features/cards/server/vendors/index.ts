import { hkdfSync } from 'node:crypto'
import { allowsSandbox } from '#platform/server/config.ts'
import type { PlatformConfig } from '#platform/server/config.ts'
import type { Deps, PageSources, RawRoute } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import type { CardPlatform } from '../../words.ts'
import { lithic } from './lithic/index.ts'
import type { Issuer, IssuerConfig, IssuerTools, IssuerVendor } from './port.ts'
import { sandbox } from './sandbox/index.ts'
import { stripe } from './stripe/index.ts'

/** The card issuers; new cards are opened at the first one that has credentials. One line each. */
export const issuerVendors: readonly IssuerVendor[] = [stripe, lithic, sandbox]

/** The programme that an issuer's cards belong to; 0 for an issuer that is no longer registered. */
export const findCardPlatform = (name: string): CardPlatform | 0 => issuerVendors.find((vendor) => vendor.name === name)?.platform ?? 0

export const issuerPort = {
  port: 'cards.issuer',
  operations: {
    createHolder: 'write',
    createCard: 'write',
    cardByKey: 'read',
    card: 'read',
    setCardState: 'write',
    load: 'write',
    loadByKey: 'read',
    authorization: 'read',
    transaction: 'read',
    dispute: 'read',
    openDispute: 'write',
    reveal: 'write',
    challenge: 'read',
  },
  vendors: issuerVendors.map(({ name }) => name),
} as const satisfies SupplierPort

type Stage = Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'>

/** Webhook path of an issuer, which contains its name. */
export const NOTICE_PATH = '/notify/card/{issuer}'

/** Environment variables of all issuers. */
export const issuersEnv = {
  ...stripe.env,
  ...lithic.env,
  ...sandbox.env,
} as const

export function createIssuerTools(deps: Pick<Deps, 'clock' | 'log' | 'publicUrl' | 'secretKeys'>, name: string): IssuerTools {
  return {
    fetch: globalThis.fetch,
    now: () => deps.clock.now(),
    log: deps.log,
    noticeUrl: () => `${deps.publicUrl()}${NOTICE_PATH.replace('{issuer}', name)}`,
    secrets: (purpose) => deps.secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), purpose, 32))) as [Buffer, ...Buffer[]],
  }
}

const listServingVendors = (config: Stage) => issuerVendors.filter((vendor) => !vendor.sandbox || allowsSandbox(config, 'card'))
const connected = new WeakMap<object, readonly Issuer[]>()

/** The issuers whose credentials this configuration holds; in production the sandbox only when allowed by name. */
export function listConnectedIssuers(deps: Deps): readonly Issuer[] {
  const known = connected.get(deps.config)
  if (known) return known
  const config: Stage & IssuerConfig = deps.config
  const issuers = listServingVendors(config)
    .map((vendor) => {
      const issuer = vendor.connect(config, createIssuerTools(deps, vendor.name))
      return issuer && vendor.sandbox ? withFaults(issuerPort, issuer, () => deps.db) : issuer
    })
    .filter((issuer) => issuer !== undefined)
  connected.set(deps.config, issuers)
  return issuers
}

export function findConnectedIssuer(deps: Deps, name: string): Issuer | undefined {
  return listConnectedIssuers(deps).find((issuer) => issuer.name === name)
}

const listSandboxIssuers = (config: Stage) => listServingVendors(config).flatMap(({ name, outside }) => (outside ? [{ name, outside }] : []))

/**
 * Reads every issuer's credentials once, so that wrong ones stop the start; starts the sandboxes where they run. Resolves to a function
 * that stops them.
 */
export async function startIssuers(deps: Deps, roles: ReadonlySet<string>): Promise<() => Promise<void>> {
  listConnectedIssuers(deps)
  if (!roles.has('sandbox')) return async () => {}
  const stops = await Promise.all(listSandboxIssuers(deps.config).map(({ name, outside }) => outside.start(deps.config, createIssuerTools(deps, name))))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Has sandbox merchants charge a card; no effect at a real issuer. */
export async function playSandboxMerchants(deps: Deps, issuer: string, cardRef: string): Promise<void> {
  const company = listSandboxIssuers(deps.config).find(({ name }) => name === issuer)
  await company?.outside.play(deps.config, createIssuerTools(deps, issuer), cardRef)
}

/** Content security policy sources of the issuers' hosts, for our pages. */
export async function listIssuerPageSources(deps: Deps): Promise<PageSources> {
  const names = new Set(listConnectedIssuers(deps).map(({ name }) => name))
  const all = await Promise.all(listServingVendors(deps.config).flatMap(({ name, pages }) => (pages && names.has(name) ? [pages(deps.config)] : [])))
  const merged: Record<string, string[]> = {}
  for (const sources of all) for (const [directive, hosts] of Object.entries(sources)) (merged[directive] ??= []).push(...(hosts ?? []))
  return merged
}

/** Frame hosts of the issuers that can show a card to the operator of a task. */
export async function listIssuerFrames(deps: Deps): Promise<readonly string[]> {
  const names = new Set(listConnectedIssuers(deps).flatMap(({ name, supports }) => (supports.frame ? [name] : [])))
  const all = await Promise.all(listServingVendors(deps.config).flatMap(({ name, pages }) => (pages && names.has(name) ? [pages(deps.config)] : [])))
  return all.flatMap((sources) => sources['frame-src'] ?? [])
}

const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }

/** Routes from the control room to the sandbox shop, which listens on another port. */
export const issuerRoutes: readonly RawRoute[] = [
  {
    method: 'GET',
    path: '/sandbox/shop',
    role: 'sandbox',
    handle: async (deps, { headers }) => {
      const [company] = listSandboxIssuers(deps.config)
      if (!company) return NOT_FOUND
      const host = typeof headers['host'] === 'string' && /^[\w.:[\]-]+$/.test(headers['host']) ? headers['host'] : '127.0.0.1'
      return { status: 302, type: 'text/plain', body: '', headers: { location: await company.outside.shop(deps.config, `http://${host}`) } }
    },
  },
]

export const issuerPanels = issuerVendors.flatMap(({ name, outside }) =>
  outside ? [(deps: Deps) => outside.panel(deps.config, createIssuerTools(deps, name))] : [],
)
