import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { aPaidSandboxOrder, fundPayer, setPayerPin, changeSetting, typePayPin } from '../journeys/pay-visit.ts'
import type { BrowserPayer } from '../journeys/pay-visit.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { testForms } from './form-stage.ts'
import type { BadInput, TestedForm, FormPerson } from './form-stage.ts'

// The forms for payments and documents: invoice of a month, top-up, refund, withdrawal.
let server: TestServer
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer()
  await changeSetting(server, 'risk.captcha', 'off')
})
afterAll(() => server?.stop())

type Funded = FormPerson & Pick<BrowserPayer, 'userId'> & { readonly orderNo: string }
/** A user with a paid order, money and a payment password. */
async function aFundedPerson(): Promise<Funded> {
  const one = await registerByHttp(server)
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: one.token } })
  const payer = { ...one, userId: data.id as string }
  const orderNo = await aPaidSandboxOrder(server, payer as unknown as BrowserPayer, { amount: '20' })
  await fundPayer(server, payer as unknown as BrowserPayer, 300_000_000_000n)
  await setPayerPin(server, payer as unknown as BrowserPayer)
  return { ...payer, orderNo }
}
/** One line of any script, without control or direction characters. */
const PLACE: readonly BadInput[] = ['full-width']

testForms(browser, [
  {
    name: 'invoice of a month',
    person: aFundedPerson,
    open: async (page) => {
      await page.goto(`${server.baseUrl}/receipts`)
      return page.locator('section[aria-labelledby="invoice-title"]')
    },
    fields: async () => [
      { good: 'Wang Ming', wrong: ['Wang 2', 'Wang & Co.'] },
      { good: 'bill@example.com', wrong: ['name@host', 'na me@example.com', '@example.com'] },
      ...['China', 'Guangdong', 'Shenzhen', '518057', '1 Keji Road'].map((good) => ({ good, takes: PLACE })),
    ],
    sends: /\/applyInvoice$/,
  },
  {
    name: 'top-up',
    person: aFundedPerson,
    open: async (page, { lang }) => {
      await page.goto(`${server.baseUrl}/api`)
      await page.getByRole('button', { name: gatewayTexts[lang]['recharge'], exact: true }).first().click()
      return page.getByRole('dialog')
    },
    // an empty amount shows no error: a preset is selected, and until then the button is disabled
    fields: async () => [{ good: '25', amount: true, takes: ['blank'], wrong: ['0', '0.01', '999'] }],
    sends: /\/payOrder$/,
  },
  {
    name: 'refund',
    person: aFundedPerson,
    open: async (page, { lang }, { orderNo }) => {
      await page.goto(`${server.baseUrl}/orders/${orderNo}`)
      await page.getByRole('button', { name: pageTexts[lang].refund_ask, exact: true }).click()
      return page.getByRole('dialog')
    },
    fields: async () => [
      { good: '12.5', amount: true, wrong: ['0', '0.00', '99'] },
      // the reason is optional and limited to two hundred characters
      { good: 'Not needed any more', takes: ['too long', 'full-width', 'pasted', 'emoji', 'script', 'right-to-left', 'blank'] },
    ],
    sends: /\/pay\/refund$/,
  },
  {
    name: 'withdrawal',
    person: aFundedPerson,
    open: async (page, { lang }) => {
      await page.goto(`${server.baseUrl}/api`)
      await page.getByRole('button', { name: gatewayTexts[lang]['withdraw'], exact: true }).click()
      return page.getByRole('dialog').first()
    },
    fields: async () => [
      { good: '50', amount: true, wrong: ['0', '0.01', '999'] },
      { good: 'name@sandbox.example', wrong: ['12345', 'name@host'] },
      { good: '王小明', wrong: ['王', '王 1'] },
      { good: '11010519491231002X', wrong: ['110105194912310021', '123'] },
    ],
    sends: /\/balanceRefund$/,
    proof: (page) => typePayPin(page),
  },
] satisfies readonly TestedForm<Funded>[])
