import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { layerTexts } from '#apps/web/layer-texts.ts'
import { connect } from '#platform/server/database/db.ts'
import { openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { toPseudo } from '#platform/web/pseudo.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { checkPseudoPage, toPseudoUrl } from './pseudo-page.ts'

// The pseudo-language (`?pseudo=1`) on every page and dialog of the customers' app: the window does not scroll sideways, no text overflows
// its box, and no sentence is written in a page.
const KEY_NAME = 'Production, a name that is as long as names may be'
/** Texts that the server wrote: names of channels and products, and of help articles; and the samples of a test page. */
const SERVER_TEXTS = [
  ...['Credited at once', 'Scan to pay', 'All bank cards', 'Hong Kong wallet', 'Sandbox channel, no real money moves'],
  ...['ChatGPT token, 10 more days', 'Top up your balance', 'Auto top-up'],
  /^Dot /,
]
const DATA = [KEY_NAME, ...SERVER_TEXTS]
/** Articles and legal documents are prose in Markdown; the list of articles shows their titles and summaries. */
const ARTICLES = /^\/(help|terms|privacy|protocol)/
let server: TestServer
let token: string
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer()
  token = (await registerByHttp(server)).token
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })
  const db = connect(server.databaseUrl, { max: 2 })
  await aFundedUser(db, { userId: data.id, purchased: 1_234_567_890_123n })
  await aKey(db, data.id, { name: KEY_NAME })
  await db.close()
})
afterAll(() => server.stop())

const PUBLIC = [
  '/',
  '/pricing',
  '/pricing?model=claude-sonnet-5',
  '/service',
  '/service/card',
  '/voice',
  '/compatibility',
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
  '/card',
  '/select-card',
  '/bill',
  '/network',
  '/browser',
  '/remote',
  '/invite-record',
  '/email',
  '/openai-register',
  '/sms',
  '/gpt-upgrade',
  '/gpt-plus-share',
  '/api-forwards',
  '/open-account',
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

const openLongPage = async (page: Page, path: string) => {
  await page.goto(toPseudoUrl(server.baseUrl + path))
  await page.locator('h1').first().waitFor()
  // rendered again in the browser, the longest list last
  if (path.startsWith('/pricing')) await page.locator('h2[id^="kind-"]').last().waitFor()
  await checkPseudoPage(page, path, ARTICLES.test(path) ? [/./] : DATA)
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
    await page.getByRole('combobox', { name: toPseudo(layerTexts.en.palettePlaceholder) }).fill(command)
    await checkPseudoPage(page, `palette-${command}`, DATA)
    await page.keyboard.press('Enter')
    await page.locator('[data-passing]').waitFor({ state: 'detached' })
    await dialog.waitFor()
    await checkPseudoPage(page, `dialog-${command}`, DATA)
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
    await checkPseudoPage(page, `security-${at}`, DATA)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  await context.close()
})
