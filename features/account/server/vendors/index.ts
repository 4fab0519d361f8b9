import { createHmac } from 'node:crypto'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { google, openGoogle } from './google/index.ts'
import type { SignInProvider, SignInTools } from './port.ts'
import { consentPage, giveAnswer, sandboxProvider, SANDBOX_PAGE } from './sandbox/index.ts'

type SignInDeps = Pick<Deps, 'config' | 'clock' | 'db' | 'log' | 'publicUrl' | 'secretKey'>

const createSignInTools = (deps: SignInDeps): SignInTools => ({
  ...createSupplierTools(deps),
  sign: (text) => createHmac('sha256', deps.secretKey).update(`account.sandbox.${text}`).digest('base64url'),
})

const sandbox: SignInProvider = { name: 'sandbox', sandbox: true, connect: (_config, tools) => openGoogle(sandboxProvider(tools)) }

/** Google, or where sandboxes may run our fake provider, which accepts any identity. One line each. */
export const { port: signInPort, first: chooseSignInVendor } = createVendorRegistry<SignInProvider, SignInDeps>({
  port: 'account.signin',
  operations: { personOf: 'read' },
  vendors: [google, sandbox],
  sandbox: 'google',
  isSandboxFallback: true,
  createTools: createSignInTools,
  // in a test the clock differs from call to call
  reconnects: true,
})

/** The fake provider's pages; 404 while another provider is in use. */
const buildSandboxRoute = (path: string, answer: typeof consentPage): RawRoute => ({
  method: 'GET',
  path,
  role: 'sandbox',
  handle: async (deps, request) =>
    chooseSignInVendor(deps)?.sandbox ? answer(createSignInTools(deps), request) : { status: 404, type: 'text/plain; charset=utf-8', body: 'not found' },
})

/** Consent page of the fake provider and its response. */
export const sandboxRoutes: readonly RawRoute[] = [buildSandboxRoute(SANDBOX_PAGE, consentPage), buildSandboxRoute(`${SANDBOX_PAGE}/answer`, giveAnswer)]
