import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { openBrowser } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { shellTexts } from '#apps/web/texts.ts'
import { aSandboxOrder, aBrowserPayer, DESKTOP_LOOK, PHONE_LOOK, takeScreenshot } from './pay-visit.ts'

// Early presses are not lost: before the page's code has loaded, and while parts of the page are still loading.
let server: TestServer
const browser = await openBrowser()
beforeAll(async () => {
  mkdirSync('e2e/.shots', { recursive: true })
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Holds back these files until the result is called. */
async function holdBackFiles(page: Page, files: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((go) => (release = go))
  await page.route(files, async (route) => {
    await held
    await route.continue()
  })
  return () => release()
}

test('a button of the server-drawn frame that is pressed before the code has loaded works', async () => {
  const { page, context } = await aBrowserPayer(browser, server)
  const release = await holdBackFiles(page, '**/assets/*.js')
  await page.goto(`${server.baseUrl}/api`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: gatewayTexts.zh['recharge'], exact: true }).click()
  release()
  await page.getByRole('dialog').getByLabel(paymentTexts.zh['custom'], { exact: true }).waitFor()
  await context.close()
})

test.each([DESKTOP_LOOK, { width: 414, lang: 'en', theme: 'dark' }] as const)(
  'a dialog whose code is still on its way says so, and comes: $width $lang',
  async (look) => {
    const { width, lang } = look
    const { page, context } = await aBrowserPayer(browser, server, look)
    await page.goto(`${server.baseUrl}/api`, { waitUntil: 'networkidle' })
    const release = await holdBackFiles(page, '**/assets/recharge-dialog*.js')
    await page.getByRole('button', { name: gatewayTexts[lang]['recharge'], exact: true }).locator('visible=true').first().click()
    const late = page.getByRole('status', { name: shellTexts[lang]['loading'], exact: true })
    await late.waitFor()
    await takeScreenshot(page, `dialog-late-${width}`)
    release()
    await page.getByRole('dialog').getByLabel(paymentTexts[lang]['custom'], { exact: true }).waitFor()
    expect(await late.count()).toBe(0)
    await context.close()
  },
)

test.each([
  ['zh', DESKTOP_LOOK],
  ['en', DESKTOP_LOOK],
  ['zh', PHONE_LOOK],
  ['en', PHONE_LOOK],
] as const)('later content moves no button away: %s %o', async (lang, look) => {
  const payer = await aBrowserPayer(browser, server, { ...look, lang })
  const { page, context } = payer
  const orderNo = await aSandboxOrder(server, payer, { amount: '20' })
  const open = page.getByRole('button', { name: fill(pageTexts[lang]['pay_now'], { amount: '¥147.45' }), exact: true })
  await page.goto(`${server.baseUrl}/orders/${orderNo}`)
  await open.click()
  if (look === PHONE_LOOK) await page.waitForURL('**/sandbox/pay/**')
  else await page.getByRole('dialog').getByText('¥147.45').first().waitFor()
  const release = await holdBackFiles(page, '**/assets/pending-strip*.js')
  await page.goto(`${server.baseUrl}/orders/${orderNo}`)
  await open.waitFor()
  const before = await open.boundingBox()
  release()
  await page.getByText(fill(paymentTexts[lang]['pending'], { amount: '¥147.45' }), { exact: true }).waitFor()
  expect(await open.boundingBox()).toEqual(before)
  await context.close()
})
