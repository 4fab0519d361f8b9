import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { runAxe, pickLook, openBrowser, openBrowserContext, measureOverflow } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { formatOrderTitle } from '#features/payments/texts-titles.ts'
import type { PaymentCompany } from '#stand-ins/kit/payments.ts'
import { startAlipay } from '#stand-ins/alipay/index.ts'
import { startNihaopay } from '#stand-ins/nihaopay/index.ts'
import { startStripePayments } from '#stand-ins/stripe/payments/index.ts'
import { startWechatPay } from '#stand-ins/wechat-pay/index.ts'
import { noticeTexts } from '#features/payments/texts-notice.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// Every real channel in the picker, with a mock of its provider, and one payment through each form that a browser can follow on this
// machine.
let server: TestServer
let fakes: Record<'alipay' | 'wechat' | 'nihaopay' | 'stripe', PaymentCompany>
const browser = await openBrowser()
const now = () => new Date()
beforeAll(async () => {
  fakes = {
    alipay: await startAlipay({ now, desktop: 'qr' }),
    wechat: await startWechatPay({ now }),
    nihaopay: await startNihaopay({ now }),
    stripe: await startStripePayments({ now, notifyUrl: () => `${server.baseUrl}/notify/stripe` }),
  }
  server = await startTestServer({ env: Object.assign({}, ...Object.values(fakes).map((fake) => fake.env)) })
})
afterAll(async () => {
  await server.stop()
  await Promise.all(Object.values(fakes).map((fake) => fake.close()))
})

test.each(pickLook())('$width $lang $theme: each channel says what it asks for, and is paid', async (look) => {
  const t = paymentTexts[look.lang]
  const { context, page, problems } = await openBrowserContext(browser, look)
  const shot = (name: string) => page.screenshot({ path: `e2e/.shots/channels-${name}-${look.width}-${look.lang}-${look.theme}.png` })
  onTestFailed(() => shot('failed').then(() => undefined))
  const inviter = await callPlatform(server, 'GET', { path: '/invitation/info', headers: { accesstoken: (await registerByHttp(server)).token } })
  const { token } = await registerByHttp(server, inviter.data.inviteCode)
  await context.addInitScript((value) => localStorage.setItem('mx.session', value), encodeSession(token))
  const ways =
    look.width === 414
      ? ([
          ['wechat', t['method_2'], '¥'],
          ['stripe', 'Stripe', '$'],
        ] as const)
      : ([
          ['alipay', t['method_1'], '¥'],
          ['wechat', t['method_2'], '¥'],
          ['stripe', 'Stripe', '$'],
        ] as const)
  for (const [name, , symbol] of ways) {
    await page.goto(`${server.baseUrl}/api`)
    await page.getByRole('button', { name: gatewayTexts[look.lang]['recharge'], exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: new RegExp(fill(t['pay'], { amount: '[¥$]' })) }).waitFor()
    const cardOf = (icon: string) => dialog.locator('label', { has: page.locator(`img[src*="/pay/icons/${icon}-"]`) }).first()
    if (name === ways[0][0]) {
      // a provider that does not identify the payer offers no discount for new customers
      await cardOf('nihaopay').click()
      await dialog.getByText(t['discount_not_here'], { exact: true }).waitFor()
      await dialog.getByText(t['discount_not_here'], { exact: true }).evaluate((line: any) => line.scrollIntoView({ block: 'center' }))
      await shot('no-discount')
    }
    await cardOf(name === 'wechat' ? 'wechat-pay' : name).click()
    expect(await dialog.getByText(t['discount_not_here'], { exact: true }).count()).toBe(0)
    await dialog.getByText(t['line_discount'], { exact: true }).waitFor({ state: name === ways[0][0] ? 'visible' : 'detached' })
    const pay = dialog.getByRole('button', { name: new RegExp(`\\${symbol}[\\d,.]+`) })
    await pay.waitFor()
    expect(await runAxe(page)).toEqual([])
    expect(await measureOverflow(page)).toBe(0)
    await shot(`pick-${name}`)
    const before = new Set(await fakes[name].trades())
    if (look.width === 414) await page.route(/cashier|checkout\.stripe/, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>cashier</h1>' }))
    await pay.click()
    if (name === 'wechat' && look.width !== 414) {
      const notice = await dialog.getByRole('link', { name: noticeTexts[look.lang]['notice_here'], exact: true }).getAttribute('href')
      await callPlatform(server, 'POST', { path: '/v1/unAuth/order/noticeRead', input: { orderNo: new URL(notice!).searchParams.get('orderNo')! } })
    }
    const trade = await expect
      .poll(async () => (await fakes[name].trades()).find((each) => !before.has(each)))
      .toBeTruthy()
      .then(async () => (await fakes[name].trades()).find((each) => !before.has(each))!)
    if (look.width === 414) {
      await page.getByText('cashier').waitFor()
      await fakes[name].pay(trade)
      await fakes[name].deliver()
      await page.goto(`${server.baseUrl}/pay-result?orderNo=${trade.slice(0, 21)}`)
      await page.getByText(fill(t['paid_title'], { title: formatOrderTitle(10, look.lang) }), { exact: true }).waitFor()
    } else {
      await dialog.getByText(trade.slice(0, 21)).first().waitFor()
      await shot(`pay-${name}`)
      expect(await runAxe(page)).toEqual([])
      await fakes[name].pay(trade)
      await fakes[name].deliver()
      await dialog.getByText(t['done_title'], { exact: true }).waitFor()
    }
    expect(await page.locator('body').innerText()).toContain(symbol)
    expect(await measureOverflow(page)).toBe(0)
    await shot(`paid-${name}`)
  }
  expect(problems).toEqual([])
  await context.close()
})

/** The session as the page stores it (platform/web/state/storage.ts). */
function encodeSession(token: string): string {
  const text = encodeURIComponent(JSON.stringify({ v: token, e: Date.now() + 86_400_000 }))
  return btoa([...text].map((sign, at) => String.fromCharCode(sign.charCodeAt(0) ^ 'mingxi'.charCodeAt(at % 6))).join(''))
}
