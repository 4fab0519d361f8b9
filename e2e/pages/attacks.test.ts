import { request } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { FOREIGN_ADDRESSES } from '#platform/testing/addresses/foreign-addresses.ts'
import { openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { seedSession } from '../signed-in.ts'
import { XSS } from '#platform/testing/xss.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// money.md H2 and H4 for all input of the contract and the pages: markup in every text field, other hosts in every redirect.
const LOOK: PageLook = { width: 1440, lang: 'zh', theme: 'light' }
const browser = await openBrowser()
let server: TestServer
let user: Awaited<ReturnType<typeof registerByHttp>>
beforeAll(async () => {
  server = await startTestServer()
  user = await registerByHttp(server)
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: user.token } })
  const db = connect(server.databaseUrl, { max: 1 })
  await aFundedUser(db, { userId: data.id })
  await db.close()
})
afterAll(() => server.stop())

const HOOK = `window.ran = []; for (const name of ['alert', 'print', 'confirm', 'prompt']) window[name] = () => { window.ran.push(name) }`
/** The first fifty characters, as the fields keep them. */
const cutToField = (text: string) => [...text.trim()].slice(0, 50).join('').trim()

async function openHostilePage(
  page: Page,
  path: string,
  { holds, selector = 'main' }: { readonly holds: readonly string[]; readonly selector?: string },
): Promise<void> {
  await page.goto(server.baseUrl + path, { waitUntil: 'domcontentloaded' })
  await page.locator('h1').first().waitFor()
  const said = () =>
    page.evaluate<string>(
      `[...document.querySelectorAll('${selector}')].map((part) => part.innerText + ' ' + [...part.querySelectorAll('input, select, textarea')].map((field) => field.value).join(' ')).join(' ')`,
    )
  const missing = async () => {
    const text = (await said()).replaceAll(/\s+/g, ' ')
    return holds.filter((one) => !text.includes(one.replaceAll(/\s+/g, ' ')))
  }
  await expect.poll(missing).toEqual([])
  expect([holds, await page.evaluate('window.ran')]).toEqual([holds, []])
}

test('markup in the profile, the invoice details, and names of keys: shown as it was typed, nothing runs', async () => {
  const { context, page } = await openBrowserContext(browser, LOOK)
  await seedSession(context, user.token)
  await context.addInitScript(HOOK)
  const led: string[] = []
  await context.route(/evil|x\.example/, (route) => {
    led.push(route.request().url())
    return route.abort()
  })
  const say = (path: string, input: object) => callPlatform(server, 'POST', { path, input, headers: { accesstoken: user.token } })
  const { data: key } = await say('/user/key/generate', { keyName: 'first' })
  const db = connect(server.databaseUrl, { max: 1 })
  const { data: me } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: user.token } })
  const stored = { profile: 0, invoice: 0, key: 0 }
  for (const payload of XSS) {
    const text = cutToField(payload)
    const profile = await say('/user/updateUserInfo', { name: text, firstName: text, lastName: text })
    const place = { country: text, state: text, city: text, addressLine: text, postalCode: text }
    const invoice = await say('/user/updateInvoiceDetails', { userName: 'Wang Wei', email: 'invoice@example.com', ...place })
    const named = await say('/user/key/update', { keyId: key.keyId, keyName: text })
    // stored whole or refused, never cut or sanitized
    for (const { code } of [profile, invoice, named]) expect([payload, [200, 400].includes(code)]).toEqual([payload, true])
    const kept = (code: number) => (code === 200 ? [text.normalize('NFC')] : [])
    stored.profile += kept(profile.code).length
    stored.invoice += kept(invoice.code).length
    stored.key += kept(named.code).length
    if (profile.code === 200) {
      const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: user.token } })
      expect([data.name, data.firstName, data.lastName]).toEqual(Array(3).fill(text.normalize('NFC')))
    }
    if (named.code === 200) await aKey(db, me.id, { name: text })
    await openHostilePage(page, '/account', { holds: [...kept(profile.code), ...kept(invoice.code)] })
  }
  await db.close()
  // all except those with a tab or another control character
  expect(Math.min(...Object.values(stored))).toBeGreaterThanOrEqual(XSS.length - 3)
  const { data: keys } = await callPlatform(server, 'GET', { path: '/user/key/list', headers: { accesstoken: user.token } })
  await openHostilePage(page, '/api?tab=keys', { holds: keys.rowList.map((row: { keyName: string }) => row.keyName) })
  await openHostilePage(page, '/api?tab=billingDetails', { holds: [] })
  expect(led).toEqual([])
  await context.close()
})

/** The server's redirect target. Sends the path's bytes unchanged; fetch would normalize them. */
function readRedirect(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.baseUrl)
    const asked = request({ hostname, port, path, headers: { accept: 'text/html', cookie: 'lang=en' } }, (reply) => {
      reply.resume()
      resolve(reply.headers.location)
    })
    asked.on('error', reject).end()
  })
}

test('no spelling of another host in an address makes the server lead there', async () => {
  const sendable = FOREIGN_ADDRESSES.map((text) => text.replaceAll(/[^\x21-\x7e]/g, (sign) => encodeURIComponent(sign)))
  for (const text of sendable)
    for (const path of [text, `/en${text}`, `/en/${text}`, `${text}/`, `/i/${text}`, `/invite/${text}`, `/pricing/?to=${text}`, `/login?redirect=${text}`]) {
      if (!path.startsWith('/')) continue
      const to = await readRedirect(path)
      if (to !== undefined) expect([path, to, new URL(to, server.baseUrl).origin]).toEqual([path, to, server.baseUrl])
    }
})

test.each([
  ['the sign-in page', (away: string) => `/login?redirect=${away}`],
  ['the sign-in inside another page', (away: string) => `/embed-login?redirect=${away}`],
  ['the notice about paying', (away: string) => `/pay-notice?orderNo=20261120-8F31A0B2C4D6&redirect=${away}`],
  ['the result of a payment', (away: string) => `/pay-result?orderNo=20261120-8F31A0B2C4D6&redirect=${away}`],
] as const)('a redirect from %s stays on this site', async (_name, path) => {
  const { context, page } = await openBrowserContext(browser, LOOK)
  await seedSession(context, user.token)
  await context.addInitScript(HOOK)
  const away: string[] = []
  await context.route(
    (url) => url.hostname.includes('evil'),
    (route) => {
      away.push(route.request().url())
      return route.abort()
    },
  )
  await page.route('**/tradeStatus', (route) => route.fulfill({ json: { code: 200, msg: 'OK', data: { orderNo: '20261120-8F31A0B2C4D6', payStatus: 1 } } }))
  for (const vector of FOREIGN_ADDRESSES) {
    await page.goto(server.baseUrl + path(encodeURIComponent(vector)), { waitUntil: 'domcontentloaded' })
    await expect.poll(() => page.locator('main a, main button').count(), { message: `${vector} at ${page.url()}` }).toBeGreaterThan(0)
    const hrefs = await page.evaluate<string[]>(`[location.href, ...[...document.querySelectorAll('main a')].map((link) => link.href)]`)
    for (const href of hrefs) expect([vector, href, /^(https?:\/\/127\.0\.0\.1|mailto:)/.test(href)]).toEqual([vector, href, true])
    expect(await page.evaluate('window.ran')).toEqual([])
  }
  expect(away).toEqual([])
  await context.close()
})
