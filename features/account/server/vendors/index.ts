import { createHmac } from 'node:crypto'
import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { accountConfigOf } from '../config.ts'
import { googleProvider, openGoogle } from './google/index.ts'
import type { SignInVendor } from './port.ts'
import { consentPage, giveAnswer, SANDBOX_PAGE, sandboxProvider } from './sandbox/index.ts'
import type { SandboxTools } from './sandbox/index.ts'

export const signInPort = { port: 'account.signin', operations: { personOf: 'read' }, vendors: ['google', 'sandbox'] } as const satisfies SupplierPort

type Needs = Pick<Deps, 'config' | 'clock' | 'db' | 'publicUrl' | 'secretKey'>

/** Google, or outside production a stand-in of ours; undefined when neither is on. */
export function signInVendor(deps: Needs): SignInVendor | undefined {
  const config = accountConfigOf(deps.config)
  if (!config.GOOGLE_CLIENT_ID)
    return sandboxAllowed(config) ? withFaults(signInPort, openGoogle(sandboxProvider(sandboxTools(deps))), () => deps.db) : undefined
  const addresses = {
    clientId: config.GOOGLE_CLIENT_ID,
    issuer: config.GOOGLE_ISSUER,
    authorizePage: config.GOOGLE_AUTH_URL,
    keysUrl: config.GOOGLE_KEYS_URL,
    tokenInfoUrl: config.GOOGLE_TOKENINFO_URL,
  }
  return openGoogle(googleProvider(addresses, () => deps.clock.now()))
}

/** Anybody can be anybody at the stand-in: in production it is on only when allowed by name. */
function sandboxAllowed(config: ReturnType<typeof accountConfigOf>): boolean {
  return !config.GOOGLE_CLIENT_ID && allowsSandbox(config, 'google')
}

function sandboxTools({ clock, publicUrl, secretKey }: Pick<Needs, 'clock' | 'publicUrl' | 'secretKey'>): SandboxTools {
  return { now: () => clock.now(), publicUrl, sign: (text) => createHmac('sha256', secretKey).update(`account.sandbox.${text}`).digest('base64url') }
}

const route = (path: string, answer: typeof consentPage): RawRoute => ({
  method: 'GET',
  path,
  role: 'sandbox',
  handle: async (deps, request) =>
    sandboxAllowed(accountConfigOf(deps.config)) ? answer(sandboxTools(deps), request) : { status: 404, type: 'text/plain; charset=utf-8', body: 'not found' },
})

/** The stand-in's consent page and its answer. */
export const sandboxRoutes: readonly RawRoute[] = [route(SANDBOX_PAGE, consentPage), route(`${SANDBOX_PAGE}/answer`, giveAnswer)]
