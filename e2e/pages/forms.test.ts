import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { layerTexts } from '#apps/web/layer-texts.ts'
import { connect } from '#platform/server/database/db.ts'
import { openBrowser } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { locateSupportLauncher, locateSupportPanel } from '../support/stage.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { testForms } from './form-stage.ts'
import type { BadInput, TestedForm, FormPerson } from './form-stage.ts'

// Profile, invoice details, complaint, customer service and keys; the dialogs for security and money are in forms-security and forms-money.
let server: TestServer
let one: FormPerson
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer()
  one = await registerByHttp(server)
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: one.token } })
  const db = connect(server.databaseUrl, { max: 1 })
  await aFundedUser(db, { userId: data.id })
  await db.close()
})
afterAll(() => server?.stop())

const getPerson = async () => one
const section = (name: string) => async (page: Page) => {
  await page.goto(`${server.baseUrl}/account?section=${name}`)
  return page.locator('section[aria-labelledby="account-section"]')
}
/** One line of any script, without control or direction characters. */
const LINE: readonly BadInput[] = ['full-width']
const line = (good: string) => ({ good, takes: LINE })
const name = (good: string) => ({ good, takes: [...LINE, 'blank'] as const })
const EMAILS = ['name@host', 'na me@example.com', '@example.com']

testForms(browser, [
  { name: 'profile', person: getPerson, open: section('profile'), fields: async () => ['Xiao Ming', 'Wang', 'Ming'].map(name) },
  {
    name: 'invoice details',
    person: getPerson,
    open: section('invoice'),
    fields: async () => [
      { good: 'Wang Ming', wrong: ['Wang 2', 'Wang & Co.'] },
      { good: 'bill@example.com', wrong: EMAILS },
      ...['China', 'Guangdong', 'Shenzhen', '1 Keji Road', '518057'].map(line),
    ],
  },
  {
    name: 'complaint',
    person: getPerson,
    open: async (page, { lang }) => {
      await page.goto(`${server.baseUrl}/`)
      await page.locator('footer').getByRole('button', { name: layerTexts[lang].complaint }).click()
      await page.getByRole('dialog').getByRole('button', { name: layerTexts[lang].complaintReport }).click()
      return page.getByRole('dialog')
    },
    fields: async () => [
      // a multi-line text may contain any character
      { good: 'Paid twice', takes: ['full-width', 'pasted', 'emoji', 'script', 'right-to-left'] },
      { good: 'li@example.com', wrong: EMAILS },
      { good: '20261120-8F31A0B2C4D6', takes: ['blank'], wrong: ['12', 'no order'] },
    ],
  },
  ...[false, true].map((signedOut): TestedForm => ({
    name: `conversation, ${signedOut ? 'a visitor' : 'a user'}`,
    person: getPerson,
    ...(signedOut ? { signedOut } : {}),
    open: async (page) => {
      await page.goto(`${server.baseUrl}/`)
      await locateSupportLauncher(page).click()
      return locateSupportPanel(page)
    },
    fields: async () => [
      ...(signedOut ? [{ good: 'visitor@example.com', wrong: EMAILS }] : []),
      { good: 'Where is my money?', takes: ['full-width', 'pasted', 'emoji', 'script', 'right-to-left'] },
    ],
    sends: /\/support\/start$/,
  })),
  {
    name: 'new key',
    person: getPerson,
    open: async (page, { lang }) => {
      // the button moves while the content above it loads
      await page.goto(`${server.baseUrl}/api`, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: gatewayTexts[lang]['createKey'], exact: true }).first().click()
      return page.getByRole('dialog')
    },
    fields: async () => [
      // the field is limited to sixty UTF-16 units, which are fewer emoji than a name may have characters
      { good: 'Production', takes: [...LINE, 'right-to-left', 'emoji'] },
    ],
  },
])
