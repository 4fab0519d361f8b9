import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layerTexts } from '#apps/web/layer-texts.ts'
import { connect } from '#platform/server/database/db.ts'
import { openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// English with every text forty per cent longer (`?pseudo=1`), on every page and dialog: the window does not scroll sideways and no text
// overflows its box.
let server: TestServer
let token: string
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer()
  token = (await registerByHttp(server)).token
  const { data } = await callPlatform(server, 'GET', '/user/info', {}, { accesstoken: token })
  const db = connect(server.databaseUrl, { max: 2 })
  await aFundedUser(db, { userId: data.id, purchased: 1_234_567_890_123n })
  await aKey(db, data.id, 'Production, a name that is as long as names may be')
  await db.close()
})
afterAll(() => server.stop())

const PUBLIC = [
  '/',
  '/pricing',
  '/pricing?model=claude-sonnet-5',
  '/service',
  '/help',
  '/help/quick-start',
  '/terms',
  '/privacy',
  '/protocol',
  '/login',
  '/no/such/page',
]
const CONSOLE = [
  '/api',
  '/api?tab=keys',
  '/api?tab=requests',
  '/api?tab=rechargeRecord',
  '/api?tab=billingDetails',
  '/api?tab=pricing',
  '/orders',
  '/withdrawals',
  '/receipts',
]
const SECTIONS = ['profile', 'security', 'sessions', 'history', 'look', 'invoice', 'mails', 'data']
const TOOLS = [
  '/pay-result?orderNo=20261120-8F31A0B2C4D6',
  '/pay-notice?orderNo=20261120-8F31A0B2C4D6',
  '/pay-service',
  '/embed-login',
  '/test-icon',
  '/dev/ui',
]

/** Texts that overflow a box which neither clips nor scrolls them; a rotated icon may exceed its box by four pixels. */
const SPILLS = `[...document.querySelectorAll('body *')].filter((box) => {
  if (box.scrollWidth - box.clientWidth <= 5 || box.clientWidth === 0 || box.closest('svg, [aria-hidden="true"], .sr-only')) return false
  const { overflowX, display, visibility } = getComputedStyle(box)
  const holdsText = [...box.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
  return overflowX === 'visible' && !display.startsWith('inline ') && display !== 'inline' && visibility === 'visible' && holdsText
}).map((box) => box.tagName + ' ' + box.className.toString().slice(0, 60) + ' | ' + box.textContent.slice(0, 60))`

const checkPage = async (page: Page, name: string) => {
  await waitForQuietNetwork(page)
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: `e2e/.shots/long-${page.viewportSize()!.width}-${name.replaceAll(/\W+/g, '-')}.png` })
  expect.soft([name, await measureOverflow(page), await page.evaluate(SPILLS)]).toEqual([name, 0, []])
}
const openLongPage = async (page: Page, path: string) => {
  await page.goto(`${server.baseUrl}${path}${path.includes('?') ? '&' : '?'}pseudo=1`)
  await page.locator('h1').first().waitFor()
  // rendered again in the browser, the longest list last
  if (path.startsWith('/pricing')) await page.locator('h2[id^="kind-"]').last().waitFor()
  await checkPage(page, path)
}

test.each([1440, 414] as const)('pages and dialogs at %i', async (width) => {
  const { page, context } = await openBrowserContext(browser, { width, lang: 'en', theme: 'light' })
  for (const path of PUBLIC) await openLongPage(page, path)
  await seedSession(context, token)
  for (const path of [...CONSOLE, ...TOOLS]) await openLongPage(page, path)
  for (const section of SECTIONS) await openLongPage(page, `/account?section=${section}`)

  const dialog = page.locator('[role="dialog"], [role="alertdialog"]').last()
  await openLongPage(page, '/api')
  await page.locator('#bars').waitFor({ state: 'attached' })
  for (const command of ['recharge', 'newKey', 'complaint', 'shortcuts']) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: layerTexts.en.palettePlaceholder }).fill(command)
    await checkPage(page, `palette-${command}`)
    await page.keyboard.press('Enter')
    await page.locator('[data-passing]').waitFor({ state: 'detached' })
    await dialog.waitFor()
    await checkPage(page, `dialog-${command}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  await openLongPage(page, '/account?section=security')
  const buttons = page.locator('section[aria-labelledby="account-section"] button')
  await buttons.first().waitFor()
  for (let at = 0; at < (await buttons.count()); at++) {
    // a passkey needs a browser that supports them
    if (await buttons.nth(at).isDisabled()) continue
    await buttons.nth(at).click()
    await dialog.waitFor()
    await checkPage(page, `security-${at}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  await context.close()
})
