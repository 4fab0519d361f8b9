import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { runAxe, navigateInApp, openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import { mockContract } from '#platform/testing/page-mock.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { accountTexts } from '#features/account/texts.ts'
import { gatewayContract } from '#features/gateway/contract.ts'
import { keysContract } from '#features/gateway/contract-keys.ts'
import { requestsContract } from '#features/gateway/contract-requests.ts'
import { usageContract } from '#features/gateway/contract-usage.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { ordersContract } from '#features/payments/contract-orders.ts'
import { paperContract } from '#features/payments/contract-paper.ts'
import { withdrawContract } from '#features/payments/contract-withdraw.ts'
import { fundsTexts } from '#features/payments/texts-funds.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { paperTexts } from '#features/payments/texts-papers.ts'
import { fundsContract } from '#features/wallet/contract-funds.ts'
import { withdrawTexts } from '#features/payments/texts-withdraw.ts'
import { chooseSignInWay } from '../journeys/account-visit.ts'
import { registerByHttp } from '../visitor.ts'

// Empty, error and slow states of pages. Mock replies are checked against the contract.
let visitor: { token: string; email: string; password: string }
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(async () => {
  visitor = await registerByHttp(server)
})

async function signIn(): Promise<Page> {
  const { page } = await openBrowserContext(browser, { width: 1440, lang: 'zh', theme: 'light' })
  const a = accountTexts.zh
  await page.goto(`${server.baseUrl}/login`)
  await chooseSignInWay({ form: page.locator('main'), a }, 'email', 'password')
  await page.getByLabel(a['auth_email'], { exact: true }).fill(visitor.email)
  await page.locator('input[autocomplete="current-password"]').fill(visitor.password)
  await page.locator('main').getByRole('button', { name: a['auth_submit_login'], exact: true }).click()
  await page.waitForURL('**/api**')
  return page
}

const tabs = ['view', 'keys', 'requests', 'billingDetails', 'rechargeRecord'] as const

test('nothing yet: each tab says what will appear and offers one step', async () => {
  const page = await signIn()
  const says = {
    view: gatewayTexts.zh['keysEmptyNoBalance'],
    keys: gatewayTexts.zh['keysEmptyNoBalance'],
    requests: gatewayTexts.zh['requestsEmpty'],
    billingDetails: gatewayTexts.zh['usageEmpty'],
    rechargeRecord: fundsTexts.zh['funds_new'],
  }
  for (const tab of tabs) {
    await navigateInApp(page, `/api?tab=${tab}`)
    await page.getByText(says[tab]).first().waitFor()
    expect(await runAxe(page)).toEqual([])
  }
  for (const [path, text] of [
    ['/orders', pageTexts.zh['orders_empty']],
    ['/withdrawals', withdrawTexts.zh['withdrawals_empty']],
    ['/receipts', paperTexts.zh['papers_empty']],
  ] as const) {
    await navigateInApp(page, path)
    await page.getByText(text, { exact: true }).waitFor()
    expect(await runAxe(page)).toEqual([])
  }
})

test('a failing call shows what happened and a way to try again, which works', async () => {
  const page = await signIn()
  await mockContract(page, gatewayContract, {})
  for (const contract of [usageContract, keysContract, requestsContract]) await mockContract(page, contract, {})
  for (const contract of [paymentsContract, ordersContract, withdrawContract, paperContract, fundsContract]) await mockContract(page, contract, {})
  for (const path of ['/orders', '/orders/20261120-8F31A0B2C4D6', '/withdrawals', '/receipts']) {
    await navigateInApp(page, path)
    await page.getByRole('button', { name: '重试' }).first().waitFor()
    expect(await runAxe(page)).toEqual([])
  }
  for (const tab of tabs) {
    await page.goto(`${server.baseUrl}/api?tab=${tab}`)
    await page.getByRole('button', { name: '重试' }).first().waitFor()
    await page.screenshot({ path: `e2e/.shots/error-${tab}.png` })
    expect(await runAxe(page)).toEqual([])
  }
  await page.unrouteAll()
  await page.getByRole('button', { name: '重试' }).first().click()
  await page.getByText(fundsTexts.zh['funds_new']).first().waitFor()
})

test('a slow call shows a skeleton, then the rows', async () => {
  const page = await signIn()
  let answer = (): void => undefined
  const isAnswered = new Promise<void>((done) => (answer = done))
  const sums = { callNum: 3, failNum: 0, totalTokens: 1234, consumeAmount: '0.000000001' }
  await mockContract(page, usageContract, {
    usage: async () => {
      await isAnswered
      return {
        rowList: [{ statDate: '2026-11-20', modelValue: 'gpt-6.1-sol', vendor: 'openai', keyId: '', keyName: '', ...sums }],
        next: null,
        totals: sums,
        from: '2026-11-01',
        to: '2026-11-30',
        updatedAt: new Date().toISOString(),
      }
    },
  })
  await page.goto(`${server.baseUrl}/api?tab=billingDetails&view=days`)
  await page.locator('.skeleton').first().waitFor()
  answer()
  await page.getByText('gpt-6.1-sol').first().waitFor()
})

test('without a network the form keeps what was typed and says so; a second submit sends nothing more', async () => {
  const { page, context } = await openBrowserContext(browser, { width: 414, lang: 'zh', theme: 'dark' })
  onTestFailed(async () => void (await page.screenshot({ path: 'e2e/.shots/states-failed.png', timeout: 5_000 })))
  const a = accountTexts.zh
  await page.goto(`${server.baseUrl}/login`)
  await chooseSignInWay({ form: page.locator('main'), a }, 'email', 'password')
  await page.getByLabel(a['auth_email'], { exact: true }).fill(visitor.email)
  await page.locator('input[autocomplete="current-password"]').fill(visitor.password)
  const button = page.locator('main').getByRole('button', { name: a['auth_submit_login'], exact: true })
  await context.setOffline(true)
  await button.click()
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByLabel(a['auth_email'], { exact: true }).inputValue()).toBe(visitor.email)
  await context.setOffline(false)
  let sent = 0
  await page.route('**/user/passwordLogin', async (route) => {
    sent++
    await new Promise((done) => setTimeout(done, 600))
    await route.continue()
  })
  // the captcha is the first part that fails to load and appears when the network is back; after it closes, the form is unchanged
  const check = page.getByRole('dialog')
  await expect
    .poll(async () => {
      if ((await check.count()) > 0) await page.keyboard.press('Escape')
      else if (sent === 0) await button.click({ timeout: scaleTimeout(500) }).catch(() => {})
      return sent
    })
    .toBe(1)
  await button.click({ force: true, timeout: scaleTimeout(300) }).catch(() => {})
  await page.waitForURL('**/api**')
  expect(sent).toBe(1)
})

test('strips above a page shift it only the first time', async () => {
  const now = { isMaintain: true, rechargePause: null, startTime: '', endTime: '', message: '支付渠道升级', closed: ['recharge'] }
  const said = {
    id: 'ann_1',
    kind: 'warning',
    place: 'everywhere',
    link: '',
    zh: { title: '春节期间提现顺延', text: '2 月 16 日至 22 日' },
    en: { title: 'Holidays', text: 'Soon' },
    until: '2027-01-01T00:00:00.000Z',
  }
  const { page, context } = await openBrowserContext(browser, { width: 414, lang: 'zh', theme: 'light' })
  let release = Promise.withResolvers<void>()
  const hold = (body: object) => async (route: Route) => {
    await release.promise
    await route.fulfill({ json: body })
  }
  await page.route('**/common/maintain**', hold({ code: 200, msg: 'ok', data: now }))
  await page.route('**/announcements.json', hold({ announcements: [said] }))
  const top = async () => Math.round((await page.locator('#strip + *').boundingBox())!.y)
  const visit = async () => {
    release = Promise.withResolvers<void>()
    await page.goto(`${server.baseUrl}/privacy`)
    const before = await top()
    release.resolve()
    await page.getByText(said.zh.title).waitFor()
    await page.getByText(now.message).waitFor()
    return { before, after: await top() }
  }
  const first = await visit()
  expect(first.before).toBe(0)
  expect(first.after).toBeGreaterThan(60)
  await expect.poll(() => page.evaluate(`localStorage.getItem('mx.strip.site')`)).toMatch(/^414:/)
  expect(await visit()).toEqual({ before: first.after, after: first.after })
  // the notice is withdrawn, and its space is removed for good
  await page.unrouteAll()
  await page.reload()
  await expect.poll(top).toBe(0)
  expect(await page.evaluate(`localStorage.getItem('mx.strip.site')`)).toBeNull()
  await context.close()
})
