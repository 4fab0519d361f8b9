import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { chromium } from 'playwright-core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { fill } from '#platform/shared/texts.ts'
import { BROWSER_ARGS, findInstalledChromium, pickLook, openBrowser } from '#platform/testing/browser.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import { proxyTexts } from '#features/proxy/texts.ts'
import { callPlatform } from '../../visitor.ts'
import { aBrowserPayer, fundPayer, createPageCheck, PAYER_PIN, setPayerPin, takeScreenshot, typePayPin } from '../pay-visit.ts'
import type { BrowserPayer } from '../pay-visit.ts'

// A purchase of the proxy: the user connects the extension with a code, and browses through it until a new password, the expiry, and the
// sign-out.
const shop = createServer((request, reply) => reply.end(`<title>shop</title>${request.headers.host} ${'.'.repeat(2000)}`))
await new Promise<void>((done) => shop.listen(0, '127.0.0.1', () => done()))
const SHOP = `shop.test:${(shop.address() as AddressInfo).port}`
const [browser, server] = await Promise.all([openBrowser(), startTestServer({ env: { PROXY_TEST_TARGETS: SHOP.replace('test:', 'test=127.0.0.1:') } })])
const folder = mkdtempSync(join(tmpdir(), 'extension-'))
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))
afterAll(async () => {
  await server.stop()
  shop.closeAllConnections()
  shop.close()
  rmSync(folder, { recursive: true, force: true })
})

const API = '/v1/tool/reward/proxy'
const callAsPayer = (payer: BrowserPayer, method: 'GET' | 'POST', { path, input = {} }: { readonly path: string; readonly input?: object }) =>
  callPlatform(server, method, { path, input, headers: { 'accesstoken': payer.token, 'idempotency-key': randomUUID() } })
const account = async (payer: BrowserPayer) => (await callAsPayer(payer, 'GET', { path: `${API}/available` })).data.account

/** Pays in the payment dialog: selects the balance, confirms, and types the payment password. */
async function payWithBalance(page: Page, amount: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('radio', { name: /余额|Balance/ })
    .first()
    .check({ force: true })
  await dialog.locator('button[type="submit"]').filter({ hasText: amount }).click()
  await typePayPin(page)
}

/** Opens a separate full Chromium with the downloaded extension. */
async function openWithExtension(): Promise<{ context: BrowserContext; popup: Page }> {
  const zip = unzipSync(new Uint8Array(await (await fetch(`${server.baseUrl}/extension/mingxi-proxy.zip`)).arrayBuffer()))
  const unpacked = join(folder, 'unpacked')
  for (const [name, bytes] of Object.entries(zip)) {
    mkdirSync(dirname(join(unpacked, name)), { recursive: true })
    writeFileSync(join(unpacked, name), bytes)
  }
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: findInstalledChromium({ windows: true }),
    headless: false,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [...BROWSER_ARGS, '--headless=new', '--lang=en-US', `--disable-extensions-except=${unpacked}`, `--load-extension=${unpacked}`],
    viewport: { width: 320, height: 420 },
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const popup = await context.newPage()
  await popup.goto(`chrome-extension://${new URL(worker.url()).host}/popup.html`)
  return { context, popup }
}

test.each(pickLook())('$width $lang $theme: a use is bought, the extension browses through it, and stops with it', async (look) => {
  const t = proxyTexts[look.lang]
  const payer = await aBrowserPayer(browser, server, look)
  await setPayerPin(server, payer)
  await fundPayer(server, payer, 10_000_000_000n)
  const { page, problems } = payer
  const seen = createPageCheck(page, look)
  await page.goto(`${server.baseUrl}/network`)
  const begin = page.getByRole('button', { name: fill(t['networkBegin'], { price: '$0.49' }), exact: true })
  await begin.waitFor()
  await seen('network-new')
  await begin.click()
  await payWithBalance(page, '$0.49')
  await page.getByText(t['networkLive'], { exact: true }).first().waitFor()
  const first = await account(payer)
  await page.getByText(first.password, { exact: true }).waitFor()
  expect((await callAsPayer(payer, 'GET', { path: '/v1/userWrapperApi/balanceInfo' })).data.balance).toBe('9.51')

  // the extension: a wrong code, the right one, and a page that only the proxy can reach
  const { context, popup } = await openWithExtension()
  await popup.locator('#code').fill('0000 0000')
  await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => popup.locator('#problem').textContent()).toMatch(/expired/)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t['extensionCode'], exact: true }).click()
  const shown = page.locator('.num').filter({ hasText: /^[0-9A-Z]{4} [0-9A-Z]{4}$/ })
  await popup.locator('#code').fill((await shown.textContent())!)
  await seen('network-live', 'passes')
  await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
  const toggle = popup.getByRole('switch')
  await toggle.click()
  await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true')
  const tab = await context.newPage()
  await tab.goto(`http://${SHOP}/`)
  expect(await tab.textContent('body')).toContain(SHOP)
  await expect.poll(() => popup.locator('#down').textContent()).toMatch(/KB/)
  await expect.poll(async () => (await account(payer)).downBytes).toBeGreaterThan(2000)
  await takeScreenshot(popup, `extension-on-${look.theme}`)

  // the extension picks up a new password without a press, and the old one no longer works
  const { data } = await callAsPayer(payer, 'POST', { path: `${API}/apply` })
  await callAsPayer(payer, 'POST', { path: '/v1/pay/balancePay', input: { orderType: 5, service: data.pay.service, payPassword: PAYER_PIN } })
  await expect.poll(async () => (await account(payer))?.id).not.toBe(first.id)
  await expect.poll(() => popup.evaluate(`chrome.storage.session.get('account').then(({ account }) => account?.id)`)).toBe((await account(payer)).id)
  await expect
    .poll(() =>
      tab.goto(`http://${SHOP}/again`).then(
        (reply) => reply?.status(),
        () => 0,
      ),
    )
    .toBe(200)

  // after the expiry the browser connects directly again, by itself
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(`update proxy_uses set expires_at = clock_timestamp() where user_id = $1 and ended_at is null`, [payer.userId])
  await db.close()
  await popup.getByText('No proxy in use now', { exact: true }).waitFor()
  await expect.poll(() => popup.evaluate(`chrome.proxy.settings.get({}).then(({ value }) => value.mode)`)).not.toBe('fixed_servers')
  await expect(tab.goto(`http://${SHOP}/over`)).rejects.toThrow()
  await takeScreenshot(popup, `extension-none-${look.theme}`)

  // after a sign-out on the website, the extension deletes its data
  await page.getByRole('button', { name: t['extensionRemove'], exact: true }).click()
  await popup.locator('#code').waitFor()
  expect(await popup.evaluate(`chrome.storage.local.get().then((all) => Object.keys(all).length)`)).toBe(0)
  await page.goto(`${server.baseUrl}/network?tab=account`)
  await page.getByText(t['usesEnded'], { exact: true }).first().waitFor()
  await seen('network-records')
  await page.goto(`${server.baseUrl}/network?tab=tutorial`)
  await page.getByText(t['learnLimits'], { exact: true }).waitFor()
  await seen('network-tutorial')
  expect(problems).toEqual([])
  await context.close()
  await payer.context.close()
})
