import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { runAxe, rotateLooks, openBrowser } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { createEmail, openSignInDialog, waitUntilSignedIn, openAccountVisit } from '../account-visit.ts'
import type { AccountVisit } from '../account-visit.ts'

// Google sign-in as a user sees it, against a local OpenID provider: its keys sign the tokens that the consent page below issues.
const CLIENT = 'test-client.apps.example'
const provider = new OAuth2Server()
const browser = await openBrowser()
let server: TestServer
let consent: ReturnType<typeof createServer>
let email = ''
let answer: 'go' | 'refuse' | 'otherNonce' = 'go'

beforeAll(async () => {
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, '127.0.0.1')
  consent = createServer((request, reply) => void followConsent(new URL(request.url!, 'http://x')).then((to) => reply.writeHead(302, { location: to }).end()))
  await new Promise<void>((done) => consent.listen(0, '127.0.0.1', done))
  const issuer = provider.issuer.url!
  server = await startTestServer({
    env: {
      GOOGLE_CLIENT_ID: CLIENT,
      GOOGLE_ISSUER: issuer,
      GOOGLE_KEYS_URL: `${issuer}/jwks`,
      GOOGLE_AUTH_URL: `http://127.0.0.1:${(consent.address() as AddressInfo).port}/authorize`,
    },
  })
})
afterAll(async () => {
  await server?.stop()
  consent?.close()
  await provider.stop()
})

/** The redirect that Google would send after the user presses a button on its consent page. */
async function followConsent(asked: URL): Promise<string> {
  const one = (name: string) => asked.searchParams.get(name) ?? ''
  const back = new URL(one('redirect_uri'))
  const facts = new URLSearchParams({ state: one('state') })
  if (answer === 'refuse') facts.set('error', 'access_denied')
  else {
    const nonce = answer === 'otherNonce' ? 'another' : one('nonce')
    facts.set(
      'id_token',
      await provider.issuer.buildToken({
        scopesOrTransform: (_, payload) => Object.assign(payload, { aud: CLIENT, sub: `google-${email}`, email, email_verified: true, name: '王小明', nonce }),
      }),
    )
  }
  back.hash = facts.toString()
  return back.href
}

const LOOKS: readonly PageLook[] = [
  { width: 1440, lang: 'zh', theme: 'light' },
  { width: 414, lang: 'en', theme: 'dark' },
]

async function openVisit(look: PageLook, name: string): Promise<AccountVisit> {
  const v = await openAccountVisit(browser, look)
  onTestFailed(async () => {
    await v.page.screenshot({ path: `e2e/.shots/failed-google-${name}-${look.width}.png` }).catch(() => {})
  })
  return v
}
const press = ({ form, a }: AccountVisit) => form.getByRole('button', { name: a.google_button }).click()

test.each(rotateLooks(LOOKS))('in a window on a computer, in the same one on a phone: $lang at $width', async (look) => {
  ;[email, answer] = [createEmail(), 'go']
  const v = await openVisit(look, 'good')
  await openSignInDialog(v, server)
  const opened = look.width === 1440 ? v.context.waitForEvent('page') : undefined
  await press(v)
  await v.page.waitForURL('**/api')
  await waitUntilSignedIn(v.page)
  // the URL keeps neither tokens nor state
  for (const page of v.context.pages()) expect(page.url()).not.toMatch(/token|state=/)
  if (opened) await expect.poll(async () => (await opened).isClosed() || (await (await opened).getByText(v.a.google_taken).count()) === 1).toBe(true)
  await v.page.goto(`${server.baseUrl}/account?section=security`)
  await v.page.getByText(v.s.acc_linked).waitFor()
  await v.context.close()

  // a second sign-in of the same person finds the same account
  const again = await openVisit(look, 'again')
  await openSignInDialog(again, server)
  await press(again)
  await again.page.waitForURL('**/api')
  await again.context.close()
})

test.each(rotateLooks(LOOKS))('a refusal and a wrong answer are a quiet line, and another way stays open: $lang at $width', async (look) => {
  for (const wrong of ['refuse', 'otherNonce'] as const) {
    ;[email, answer] = [createEmail(), wrong]
    const v = await openVisit(look, wrong)
    await openSignInDialog(v, server)
    await press(v)
    if (look.width === 414) {
      await v.page.getByRole('heading', { name: v.a.google_failed }).waitFor()
      expect(await runAxe(v.page)).toEqual([])
      await v.page.getByRole('link', { name: v.a.google_again }).click()
      await v.page.waitForURL('**/login')
    } else if (wrong === 'otherNonce') {
      await v.form.getByText(v.a.google_failed).waitFor()
      expect(await runAxe(v.page)).toEqual([])
    } else await v.form.getByRole('button', { name: v.a.google_button }).waitFor()
    expect(await v.page.evaluate(`localStorage.getItem('mx.session')`)).toBeNull()
    await v.context.close()
  }
})

test('an answer with a foreign state is refused', async () => {
  ;[email, answer] = [createEmail(), 'go']
  const v = await openVisit(LOOKS[0]!, 'stranger')
  await v.page.goto(`${server.baseUrl}/oauth/google#state=stranger&id_token=x.y.z`)
  await v.page.getByRole('heading', { name: v.a.google_failed }).waitFor()
  expect(await v.page.evaluate(`localStorage.getItem('mx.session')`)).toBeNull()
  expect(v.page.url()).not.toContain('id_token')
  await v.context.close()
})

test('inside WeChat there is no button, but the way out', async () => {
  const context = await browser.newContext({
    viewport: { width: 414, height: 896 },
    isMobile: true,
    hasTouch: true,
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50',
  })
  const page = await context.newPage()
  await page.goto(`${server.baseUrl}/login`)
  const { accountTexts } = await import('#features/account/texts.ts')
  const a = accountTexts.zh
  await page.getByRole('button', { name: a.google_outside }).click()
  await page.getByRole('dialog').waitFor()
  expect(await page.getByRole('button', { name: a.google_button }).count()).toBe(0)
  expect(await runAxe(page)).toEqual([])
  await context.close()
})
