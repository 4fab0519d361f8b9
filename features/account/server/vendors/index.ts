import { createHmac } from 'node:crypto'
import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { readAccountConfig } from '../config.ts'
import { createGoogleProvider, openGoogle } from './google/index.ts'
import type { SignInVendor } from './port.ts'
import { consentPage, giveAnswer, SANDBOX_PAGE, sandboxProvider } from './sandbox/index.ts'
import type { SandboxTools } from './sandbox/index.ts'

export const signInPort = { port: 'account.signin', operations: { personOf: 'read' }, vendors: ['google', 'sandbox'] } as const satisfies SupplierPort

type SignInDeps = Pick<Deps, 'config' | 'clock' | 'db' | 'publicUrl' | 'secretKey'>

/** Google, or outside production our fake provider; undefined if neither is on. */
export function chooseSignInVendor(deps: SignInDeps): SignInVendor | undefined {
  const config = readAccountConfig(deps.config)
  if (!config.GOOGLE_CLIENT_ID)
    return isSignInSandboxAllowed(config) ? withFaults(signInPort, openGoogle(sandboxProvider(buildSandboxTools(deps))), () => deps.db) : undefined
  const addresses = {
    clientId: config.GOOGLE_CLIENT_ID,
    issuer: config.GOOGLE_ISSUER,
    authorizePage: config.GOOGLE_AUTH_URL,
    keysUrl: config.GOOGLE_KEYS_URL,
    tokenInfoUrl: config.GOOGLE_TOKENINFO_URL,
  }
  return openGoogle(createGoogleProvider(addresses, () => deps.clock.now()))
}

/** The fake provider accepts any identity, so in production it is on only when allowed by name. */
function isSignInSandboxAllowed(config: ReturnType<typeof readAccountConfig>): boolean {
  return !config.GOOGLE_CLIENT_ID && allowsSandbox(config, 'google')
}

function buildSandboxTools({ clock, publicUrl, secretKey }: Pick<SignInDeps, 'clock' | 'publicUrl' | 'secretKey'>): SandboxTools {
  return { now: () => clock.now(), publicUrl, sign: (text) => createHmac('sha256', secretKey).update(`account.sandbox.${text}`).digest('base64url') }
}

const buildSandboxRoute = (path: string, answer: typeof consentPage): RawRoute => ({
  method: 'GET',
  path,
  role: 'sandbox',
  handle: async (deps, request) =>
    isSignInSandboxAllowed(readAccountConfig(deps.config))
      ? answer(buildSandboxTools(deps), request)
      : { status: 404, type: 'text/plain; charset=utf-8', body: 'not found' },
})

/** Consent page of the fake provider and its response. */
export const sandboxRoutes: readonly RawRoute[] = [buildSandboxRoute(SANDBOX_PAGE, consentPage), buildSandboxRoute(`${SANDBOX_PAGE}/answer`, giveAnswer)]
