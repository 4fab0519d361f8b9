import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { runAxe, openBrowser, measureOverflow } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { mockContract } from '#platform/testing/page-mock.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { formatOrderTitle } from '#features/payments/texts-titles.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import {
  aSandboxOrder,
  aBrowserPayer,
  fundPayer,
  simulateTouch,
  payAndCloseCashier,
  PHONE_LOOK,
  PAYER_PIN,
  pressCashierButton,
  setPayerPin,
  changeSetting,
  takeScreenshot,
  fetchOrderState,
  typePayPin,
} from './pay-visit.ts'
import type { BrowserPayer } from './pay-visit.ts'

// One payment through each form and each failure: the state of the page never loses a payment.
let server: TestServer
const browser = await openBrowser()
const [t, p, g] = [pageTexts.zh, paymentTexts.zh, gatewayTexts.zh]
beforeAll(async () => {
  mkdirSync('e2e/.shots', { recursive: true })
  server = await startTestServer()
})
afterAll(() => server.stop())

const UNION = 'union' as const
const CARD = 'card' as const
const icons = { [UNION]: '-3.svg', [CARD]: '-5.svg' }

/** Opens the dialog at its amount, on the console's first page. */
async function openRecharge({ page }: BrowserPayer, amount: string, way?: keyof typeof icons) {
  await page.goto(`${server.baseUrl}/api`)
  await page.getByRole('button', { name: g['recharge'], exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(p['custom'], { exact: true }).fill(amount)
  if (way) await dialog.locator('label', { has: page.locator(`img[src$="${icons[way]}"]`) }).click()
  return dialog
}
async function submit(page: Page) {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /¥[\d,.]+/ })
    .click()
}
const orderOf = async (page: Page) => /\d{8}-[0-9A-Z]{12}/.exec(await page.getByRole('dialog').innerText())![0]
const checkDialog = async (page: Page, name: string) => {
  await takeScreenshot(page, name)
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}
const shootOnFailure = ({ page }: BrowserPayer, name: string) => onTestFailed(() => takeScreenshot(page, `${name}-failed`).then(() => undefined))

test('by code: scanned, paid, stamped, and its order one press away', async () => {
  const payer = await aBrowserPayer(browser, server)
  const { page, context, problems } = payer
  shootOnFailure(payer, 'pay-code')
  const dialog = await openRecharge(payer, '20')
  await submit(page)
  await dialog.getByRole('link', { name: p['open_cashier'] }).waitFor()
  await checkDialog(page, 'pay-code')
  const orderNo = await orderOf(page)
  await pressCashierButton(server, payer, { orderNo, action: 'pay' })
  await dialog.getByText(p['done_title'], { exact: true }).waitFor()
  await checkDialog(page, 'pay-done')
  await dialog.getByRole('link', { name: t['see_order'], exact: true }).click()
  await page.waitForURL(`**/orders/${orderNo}`)
  await page.getByText(t['about_fulfilled'], { exact: true }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('by form in a frame, and by a page of the channel in a window of its own', async () => {
  const payer = await aBrowserPayer(browser, server)
  const { page, context } = payer
  shootOnFailure(payer, 'pay-form')
  const dialog = await openRecharge(payer, '20', UNION)
  await submit(page)
  const inside = page.frameLocator('iframe[name="pay-frame"]').locator('button[value="pay"]')
  await inside.waitFor()
  await takeScreenshot(page, 'pay-form')
  await inside.click()
  await dialog.getByText(p['done_title'], { exact: true }).waitFor()

  await openRecharge(payer, '25', CARD)
  await submit(page)
  const [cashier] = await Promise.all([context.waitForEvent('page'), dialog.locator('a[target="_blank"]').first().click()])
  await dialog.getByText(p['did_you_pay'], { exact: true }).waitFor()
  await checkDialog(page, 'pay-redirect')
  await payAndCloseCashier(cashier)
  // the page also polls: it may show the payment before the button is pressed
  const done = dialog.getByText(p['done_title'], { exact: true })
  await Promise.any([dialog.getByRole('button', { name: p['i_have_paid'], exact: true }).click(), done.waitFor()])
  await done.waitFor()
  await context.close()
})

test('on a phone: away to the channel in the same window, back to the result with its receipt', async () => {
  const payer = await aBrowserPayer(browser, server, PHONE_LOOK)
  const { page, context } = payer
  shootOnFailure(payer, 'pay-phone')
  await simulateTouch(context)
  await openRecharge(payer, '20')
  await submit(page)
  await page.waitForURL('**/sandbox/pay/**')
  await page.locator('button[value="pay"]').click()
  await page.waitForURL('**/pay-result**')
  await page.getByText(fill(p['paid_title'], { title: formatOrderTitle(10, 'zh') }), { exact: true }).waitFor()
  await checkDialog(page, 'pay-phone-result')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: t['receipt_pdf'], exact: true }).click()])
  expect(file.suggestedFilename()).toMatch(/^RC-/)
  await context.close()
})

test('the list of ways does not load: the default way is offered with its figures, and pays', async () => {
  const payer = await aBrowserPayer(browser, server)
  const { page, context } = payer
  shootOnFailure(payer, 'pay-default')
  await page.route('**/v1/pay/channelList**', (route) => route.abort())
  await page.goto(`${server.baseUrl}/api`)
  await page.getByRole('button', { name: g['recharge'], exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t['default_way'], { exact: true }).waitFor()
  await dialog.getByLabel(p['custom'], { exact: true }).fill('20')
  await checkDialog(page, 'pay-default')
  await submit(page)
  await dialog.getByRole('link', { name: p['open_cashier'] }).waitFor()
  await context.close()
})

test('the tab is closed while the code is open: the strip waits, and the money finds the order by itself', async () => {
  const payer = await aBrowserPayer(browser, server)
  shootOnFailure(payer, 'pay-closed')
  await openRecharge(payer, '20')
  await submit(payer.page)
  await payer.page.getByRole('dialog').getByRole('link', { name: p['open_cashier'] }).waitFor()
  const orderNo = await orderOf(payer.page)
  await payer.page.close()
  const page = await payer.context.newPage()
  await page.goto(`${server.baseUrl}/orders`)
  const strip = page.getByText(fill(p['pending'], { amount: '¥147.45' }), { exact: true })
  await strip.waitFor()
  await checkDialog(page, 'orders-strip')
  await page.close()
  await pressCashierButton(server, payer, { orderNo, action: 'pay' })
  await expect.poll(() => fetchOrderState(server, payer, orderNo)).toBe('fulfilled')
  const later = await payer.context.newPage()
  await later.goto(`${server.baseUrl}/orders`)
  await later.getByText(p['state_fulfilled'], { exact: true }).first().waitFor()
  await expect.poll(() => later.getByText(fill(p['pending'], { amount: '¥147.45' })).count()).toBe(0)
  await payer.context.close()
})

test('two tabs on one order: paid once, both know', async () => {
  const payer = await aBrowserPayer(browser, server)
  shootOnFailure(payer, 'pay-tabs')
  const orderNo = await aSandboxOrder(server, payer, { amount: '20' })
  const tabs = [payer.page, await payer.context.newPage()]
  for (const tab of tabs) {
    await tab.goto(`${server.baseUrl}/orders/${orderNo}`)
    await tab.getByRole('button', { name: fill(t['pay_now'], { amount: '¥147.45' }), exact: true }).click()
    await tab.getByRole('dialog').getByRole('link', { name: p['open_cashier'] }).waitFor()
  }
  await pressCashierButton(server, payer, { orderNo, action: 'pay' })
  for (const tab of tabs) {
    await tab.bringToFront()
    await tab.getByRole('dialog').getByText(p['done_title'], { exact: true }).waitFor()
  }
  await payer.context.close()
})

test('a code that expired is renewed with one press', async () => {
  const payer = await aBrowserPayer(browser, server)
  const { page, context } = payer
  shootOnFailure(payer, 'pay-expired')
  let first = true
  await page.route('**/api/go/v1/payParam', async (route) => {
    const reply = await route.fetch()
    const body = await reply.json()
    if (first) body.data.timeExpireTime = 1
    first = false
    await route.fulfill({ response: reply, json: body })
  })
  const dialog = await openRecharge(payer, '20')
  await submit(page)
  const again = dialog.locator('figure button')
  await again.waitFor()
  await checkDialog(page, 'pay-expired')
  await again.click()
  await dialog.getByRole('link', { name: p['open_cashier'] }).waitFor()
  await context.close()
})

test('another amount, a second payment, a channel that is down: each is shown, none is lost', async () => {
  const payer = await aBrowserPayer(browser, server)
  const { page, context } = payer
  shootOnFailure(payer, 'pay-wrong')
  const less = await aSandboxOrder(server, payer, { amount: '20' })
  await pressCashierButton(server, payer, { orderNo: less, action: 'less' })
  await page.goto(`${server.baseUrl}/orders/${less}`)
  await page.getByText(t['about_integrity_failure'], { exact: true }).waitFor()
  await page.getByText(t['outcome_suspense']).first().waitFor()
  await checkDialog(page, 'order-mismatch')

  const twice = await aSandboxOrder(server, payer, { amount: '20' })
  await pressCashierButton(server, payer, { orderNo: twice, action: 'twice' })
  await page.goto(`${server.baseUrl}/orders/${twice}`)
  await page.getByText(t['outcome_again']).first().waitFor()
  await checkDialog(page, 'order-twice')

  const dialog = await openRecharge(payer, '20.01')
  await submit(page)
  await dialog.getByText(p['error_CHANNEL_REFUSED'], { exact: true }).waitFor()
  await checkDialog(page, 'pay-refused')
  await context.close()
})

test('maintenance is announced, and no payment can be started', async () => {
  const payer = await aBrowserPayer(browser, server)
  shootOnFailure(payer, 'pay-maintenance')
  const message = { zh: '合作银行升级，12:00 恢复', en: 'The partner bank is being upgraded until 12:00' }
  await changeSetting(server, 'payments.maintenance', { isMaintain: true, startTime: '', endTime: '', message, closed: ['recharge', 'withdraw'] })
  await payer.page.goto(`${server.baseUrl}/api`)
  await payer.page.getByText(message.zh).first().waitFor()
  await payer.page.keyboard.press('Escape')
  await payer.page.getByRole('button', { name: g['recharge'], exact: true }).first().click()
  const dialog = payer.page.getByRole('dialog')
  await dialog.getByText(message.zh).first().waitFor()
  expect(
    await dialog
      .getByRole('button', { name: p['pay_none'], exact: true })
      .or(dialog.getByRole('button', { name: /¥[\d,.]+/ }))
      .isDisabled(),
  ).toBe(true)
  await checkDialog(payer.page, 'pay-maintenance')
  await changeSetting(server, 'payments.maintenance', { isMaintain: false, startTime: '', endTime: '', message: { zh: '', en: '' }, closed: ['withdraw'] })
  await payer.context.close()
})

test('from the balance with too little: how much is missing, and the way to a top-up', async () => {
  const payer = await aBrowserPayer(browser, server)
  const { page, context } = payer
  shootOnFailure(payer, 'pay-balance')
  await fundPayer(server, payer, 3_000_000_000n)
  await setPayerPin(server, payer)
  const now = new Date().toISOString()
  const order = {
    orderNo: '20261121-BALANCE00009',
    orderType: 9,
    payStatus: 0 as const,
    state: 'created' as const,
    amount: '10.25',
    feePercent: '0',
    fixedFee: '0',
    fee: '0',
    total: '10.25',
    rate: '1.0',
    payAmount: '10.25',
    payCurrency: 'USD' as const,
    channelType: 5,
    transactionType: 0,
    tradeFrom: 'QRCODE' as const,
    createdTime: now,
    expireTime: now,
    successTime: null,
    secondsLeft: 600,
  }
  // No service here is paid from the balance yet, so the replies are mocked from the contract.
  const { tradeStatus, payStatus } = paymentsContract
  await mockContract(
    page,
    { tradeStatus, payStatus },
    {
      tradeStatus: { ...order, balance: '3' },
      payStatus: { orderNo: order.orderNo, payStatus: 0, state: 'created', scanned: false, declined: false, secondsLeft: 600, noticeRead: false },
    },
  )
  await page.route('**/v1/pay/balancePay', (route) => {
    expect(route.request().postDataJSON()).toEqual({ orderNo: order.orderNo, payPassword: PAYER_PIN })
    return route.fulfill({ json: { code: 3113, msg: 'too little', data: { missing: '7.25' } } })
  })
  await page.goto(`${server.baseUrl}/pay-result?orderNo=${order.orderNo}`)
  await page.getByRole('button', { name: p['result_again'], exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: fill(t['balance_pay'], { amount: '$10.25' }), exact: true }).click()
  await typePayPin(page)
  await dialog.getByText(fill(p['error_BALANCE_TOO_LOW'], { missing: '7.25' }), { exact: true }).waitFor()
  await checkDialog(page, 'pay-balance-short')
  await dialog.getByRole('button', { name: t['balance_top_up'], exact: true }).click()
  expect(await dialog.getByLabel(p['custom'], { exact: true }).inputValue()).toBe('7.25')
  await context.close()
})
