import type { Deps, PageSources, RawRoute } from '#platform/server/feature.ts'
import { deriveKey } from '#platform/server/sealing/seal.ts'
import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import type { CardPlatform } from '../../words.ts'
import { lithic } from './lithic/index.ts'
import type { IssuerTools, IssuerVendor } from './port.ts'
import { sandbox } from './sandbox/index.ts'
import { stripe } from './stripe/index.ts'

/** Webhook path of an issuer, which contains its name. */
export const NOTICE_PATH = '/notify/card/{issuer}'

export function createIssuerTools(deps: Pick<Deps, 'clock' | 'db' | 'log' | 'publicUrl' | 'secretKeys'>, name: string): IssuerTools {
  return {
    ...createSupplierTools(deps),
    noticeUrl: () => `${deps.publicUrl()}${NOTICE_PATH.replace('{issuer}', name)}`,
    secrets: (purpose) => deps.secretKeys.map((key) => deriveKey(key, purpose)) as [Buffer, ...Buffer[]],
  }
}

/** The card issuers, one line each; new cards are opened at the first one that has credentials. */
export const issuerRegistry = createVendorRegistry<IssuerVendor>({
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
  vendors: [stripe, lithic, sandbox],
  sandbox: 'card',
  createTools: createIssuerTools,
})

/** `findIssuer` of a card: undefined once its credentials are removed. */
export const { port: issuerPort, env: issuersEnv, list: listIssuers, find: findIssuer, replace: replaceIssuers } = issuerRegistry

/** The programme that an issuer's cards belong to; 0 for an issuer that is no longer registered. */
export const findCardPlatform = (name: string): CardPlatform | 0 => issuerRegistry.vendors.find((vendor) => vendor.name === name)?.platform ?? 0

const listSandboxIssuers = (config: Deps['config']) => issuerRegistry.listAllowed(config).flatMap(({ name, outside }) => (outside ? [{ name, outside }] : []))

/**
 * Reads every issuer's credentials once, so that wrong ones stop the start; starts the sandboxes where they run. Resolves to a function
 * that stops them.
 */
export async function startIssuers(deps: Deps, roles: ReadonlySet<string>): Promise<() => Promise<void>> {
  listIssuers(deps)
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
  const names = new Set(listIssuers(deps).map(({ name }) => name))
  const all = await Promise.all(issuerRegistry.listAllowed(deps.config).flatMap(({ name, pages }) => (pages && names.has(name) ? [pages(deps.config)] : [])))
  const merged: Record<string, string[]> = {}
  for (const sources of all) for (const [directive, hosts] of Object.entries(sources)) (merged[directive] ??= []).push(...(hosts ?? []))
  return merged
}

/** Frame hosts of the issuers that can show a card to the operator of a task. */
export async function listIssuerFrames(deps: Deps): Promise<readonly string[]> {
  const names = new Set(listIssuers(deps).flatMap(({ name, supports }) => (supports.frame ? [name] : [])))
  const all = await Promise.all(issuerRegistry.listAllowed(deps.config).flatMap(({ name, pages }) => (pages && names.has(name) ? [pages(deps.config)] : [])))
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

export const issuerPanels = issuerRegistry.vendors.flatMap(({ name, outside }) =>
  outside ? [(deps: Deps) => outside.panel(deps.config, createIssuerTools(deps, name))] : [],
)
