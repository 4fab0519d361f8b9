import { describe, expect, test } from 'vitest'
import type { Deps } from '#platform/server/feature.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import { findIssuer, listIssuerPageSources, issuerRoutes, issuersEnv, listIssuers, issuerRegistry, startIssuers } from './index.ts'
import type { IssuerTools, RawRequest } from './port.ts'

/** Credentials of the right shape for every vendor; none of them is real. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  STRIPE_ISSUING_SECRET_KEY: 'sk_test_000000000000',
  STRIPE_ISSUING_PUBLISHABLE_KEY: 'pk_test_000000000000',
  STRIPE_ISSUING_WEBHOOK_SECRETS: 'whsec_000000000000',
  LITHIC_API_KEY: '00000000-0000-0000-0000',
  LITHIC_ASA_SECRET: 'whsec_cmVzcG9uZGVy',
  LITHIC_WEBHOOK_SECRETS: 'whsec_c29tZXRoaW5n',
}
/** The same with a live account: production refuses a test key. */
const LIVE = { ...CREDENTIALS, STRIPE_ISSUING_SECRET_KEY: 'sk_live_000000000000', STRIPE_ISSUING_PUBLISHABLE_KEY: 'pk_live_000000000000' }
const tools: IssuerTools = {
  ...aSupplierTools(),
  fetch: () => Promise.reject(new Error('no call expected')),
  noticeUrl: () => 'https://platform.example/notify',
  secrets: () => [Buffer.alloc(32)],
}
const raw = (body: string, headers: RawRequest['headers'] = {}): RawRequest => ({
  params: {},
  query: {},
  headers,
  body: Buffer.from(body),
  ip: '',
  requestId: '',
})
test('no two vendors share a setting', () => {
  expect(Object.keys(issuersEnv)).toHaveLength(issuerRegistry.vendors.flatMap(({ env }) => Object.keys(env)).length)
})

describe.each(issuerRegistry.vendors)('credentials of $name', (vendor) => {
  const own = Object.keys(vendor.env).filter((key) => CREDENTIALS[key])
  test('without them the vendor is absent; incomplete or wrong ones stop the start without being repeated', () => {
    if (vendor.sandbox) return expect(vendor.connect({}, tools)?.name).toBe(vendor.name)
    expect(vendor.connect({}, tools)).toBeUndefined()
    expect(vendor.connect(CREDENTIALS, tools)?.name).toBe(vendor.name)
    for (const name of own) {
      expect(() => vendor.connect({ ...CREDENTIALS, [name]: undefined }, tools)).toThrow(name)
      const wrong = `not a credential ${name}`
      expect(() => vendor.connect({ ...CREDENTIALS, [name]: wrong }, tools)).toThrow(name)
      expect(() => vendor.connect({ ...CREDENTIALS, [name]: wrong }, tools)).not.toThrow(wrong)
    }
  })
  test('an unsigned notice is not read', () => {
    const issuer = vendor.connect(CREDENTIALS, tools)!
    for (const body of ['', '{}', 'null', '[]', '<xml/>', 'a=b']) {
      expect(issuer.readNotice(raw(body))).toBeUndefined()
      for (const name of ['stripe-signature', 'x-lithic-hmac', 'webhook-signature', 'sandbox-issuer-signature'])
        expect(issuer.readNotice(raw(body, { [name]: 't=1,v1=00' }))).toBeUndefined()
    }
  })
  test('a sandbox has a company of its own, a real issuer has none; pages learn the hosts of frames', async () => {
    expect(vendor.outside !== undefined).toBe(vendor.sandbox)
    const sources = await vendor.pages?.({ SANDBOX_ISSUER_URL: 'https://issuer.example/x' })
    expect(sources?.['frame-src']).toHaveLength(1)
  })
})

describe('the registry', () => {
  const depsWith = (config: object) =>
    ({
      config,
      clock: { now: () => new Date() },
      log: undefined,
      publicUrl: () => 'https://platform.example',
      secretKeys: [Buffer.alloc(32)],
    }) as unknown as Deps
  const development = { STAGE: 'development', ALLOW_SANDBOX: [], PORT: 3000, SANDBOX_ISSUER_URL: 'https://issuer.example' }
  const production = { ...development, STAGE: 'production' }
  const names = (config: object) => listIssuers(depsWith(config)).map(({ name }) => name)

  test('production has real issuers, and the sandbox only by its name', () => {
    expect(names({ ...development })).toEqual(['sandbox'])
    expect(names({ ...production })).toEqual([])
    expect(names({ ...production, ALLOW_SANDBOX: ['payment'] })).toEqual([])
    expect(names({ ...production, ALLOW_SANDBOX: ['card'] })).toEqual(['sandbox'])
    expect(names({ ...production, ...LIVE })).toEqual(['stripe', 'lithic'])
    expect(names({ ...production, ...CREDENTIALS })).toEqual(['lithic'])
    expect(names({ ...production, ...CREDENTIALS, ALLOW_SANDBOX: ['card'] })).toEqual(['stripe', 'lithic', 'sandbox'])
  })
  test('new cards are opened at a real one, if there is one', () => {
    const deps = depsWith({ ...development, ...CREDENTIALS })
    expect(listIssuers(deps)[0]?.name).toBe('stripe')
    expect(findIssuer(deps, 'sandbox')?.name).toBe('sandbox')
    expect(listIssuers(depsWith({ ...production }))).toEqual([])
    expect(findIssuer(deps, 'nobody')).toBeUndefined()
  })
  test('wrong credentials stop the start; without the role nothing is started', async () => {
    await expect(startIssuers(depsWith({ ...production, STRIPE_ISSUING_SECRET_KEY: 'sk_test_000000000000' }), new Set(['api']))).rejects.toThrow(
      'STRIPE_ISSUING_PUBLISHABLE_KEY',
    )
    await (
      await startIssuers(depsWith({ ...development, SANDBOX_ISSUER_URL: undefined }), new Set(['api', 'gateway']))
    )()
  })
  test('pages learn the hosts of the connected issuers', async () => {
    expect(await listIssuerPageSources(depsWith({ ...development }))).toEqual({ 'frame-src': ['https://issuer.example'] })
    const both = await listIssuerPageSources(depsWith({ ...production, ...LIVE }))
    expect(both['script-src']).toEqual(['https://js.stripe.com'])
    expect(both['frame-src']).toEqual(['https://js.stripe.com', 'https://api.lithic.com'])
  })
  test('the address of the shop keeps the name under which the browser came, and is closed in production', async () => {
    const [{ handle } = { handle: undefined }] = issuerRoutes
    const here = { ...development, SANDBOX_ISSUER_URL: undefined, SANDBOX_ISSUER_PORT: 3999 }
    const to = async (config: object, host: string) => (await handle!(depsWith(config), raw('', { host }))).headers?.['location']
    expect(await to({ ...here }, '192.168.1.5:3000')).toBe('http://192.168.1.5:3999/shop')
    expect(await to({ ...here, SANDBOX_ISSUER_PORT: undefined }, 'localhost:3000')).toBe('http://localhost:3001/shop')
    expect(await to({ ...here }, 'evil.example/x?')).toBe('http://127.0.0.1:3999/shop')
    expect(await to({ ...production }, 'localhost')).toBeUndefined()
  })
})
