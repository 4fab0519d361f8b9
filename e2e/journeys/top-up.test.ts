import { mkdirSync } from 'node:fs'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { runAxe, openBrowser } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { formatOrderTitle } from '#features/payments/texts-titles.ts'
import { noticeTexts } from '#features/payments/texts-notice.ts'
import { aBrowserPayer, DESKTOP_LOOK, simulateTouch, payAndCloseCashier, PHONE_LOOK, takeScreenshot } from './pay-visit.ts'

// A server as `npm start` leaves it, without PUBLIC_URL: a top-up by every method ends signed in, regardless of the address used.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
const [p, g, n] = [paymentTexts.zh, gatewayTexts.zh, noticeTexts.zh]
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

const ONE_EACH = [
  [1, 'localhost', 'phone'],
  [2, '127.0.0.1', 'computer'],
  [3, 'localhost', 'computer'],
  [4, '127.0.0.1', 'phone'],
  [5, 'localhost', 'computer'],
] as const
const ALL = [1, 2, 3, 4, 5].flatMap((method) =>
  ['localhost', '127.0.0.1'].flatMap((host) => (['computer', 'phone'] as const).map((device) => [method, host, device] as const)),
)

test.each(process.env['LOOKS'] === 'all' ? ALL : ONE_EACH)('method %i at %s on a %s', async (method, host, device) => {
  const base = server.baseUrl.replace('127.0.0.1', host)
  const payer = await aBrowserPayer(browser, server, device === 'phone' ? PHONE_LOOK : DESKTOP_LOOK)
  const { page, context, problems } = payer
  if (device === 'computer') await simulateTouch(context)
  onTestFailed(() => takeScreenshot(page, `top-up-${method}-failed`).then(() => undefined))
  await page.goto(`${base}/api`)
  await page.getByRole('button', { name: g['recharge'], exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  // above 50.00 a phone shows the notice before it leaves
  const noticed = method === 4 && device === 'phone'
  await dialog.getByLabel(p['custom'], { exact: true }).fill(noticed ? '60' : '20')
  await dialog.locator('label', { has: page.locator(`img[src$="-${method}.svg"]`) }).click()
  await dialog.getByRole('button', { name: /¥[\d,.]+/ }).click()
  // WeChat on a computer: the first code leads to the notice, which a phone opens without signing in
  if (method === 2 && device === 'computer') {
    await dialog.getByText(n['notice_first'], { exact: true }).waitFor()
    expect(await runAxe(page)).toEqual([])
    await takeScreenshot(page, 'top-up-notice')
    const phone = await browser.newContext({ viewport: { width: 414, height: 896 }, isMobile: true, hasTouch: true })
    const reader = await phone.newPage()
    await reader.goto((await dialog.getByRole('link', { name: n['notice_here'], exact: true }).getAttribute('href'))!)
    await reader.getByRole('button', { name: n['notice_go'], exact: true }).click()
    await reader.getByText(n['notice_agree_first'], { exact: true }).waitFor()
    await reader.getByRole('checkbox').check()
    expect(await runAxe(reader)).toEqual([])
    await takeScreenshot(reader, 'pay-notice-phone', true)
    await reader.getByRole('button', { name: n['notice_go'], exact: true }).click()
    await reader.getByText(n['notice_done_about'], { exact: true }).waitFor()
    await phone.close()
  }
  const isForm = method === 3
  const isCode = device === 'computer' && (method === 1 || method === 2 || method === 4)
  if (noticed) {
    await page.waitForURL('**/pay-notice**')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: n['notice_pay'], exact: true }).click()
  }
  if (device === 'phone') {
    await page.waitForURL('**/sandbox/pay/**')
    expect(new URL(page.url()).origin).toBe(base)
    await page.locator('button[value="pay"]').click()
    if (isForm) await page.locator('.back a').click()
    await page.waitForURL('**/pay-result**')
  } else if (isForm) {
    await page.frameLocator('iframe[name="pay-frame"]').locator('button[value="pay"]').click()
  } else {
    const link = isCode ? dialog.getByRole('link', { name: p['open_cashier'] }) : dialog.locator('a[target="_blank"]').first()
    const [cashier] = await Promise.all([context.waitForEvent('page'), link.click()])
    if (isCode) await payAndCloseCashier(cashier)
    else {
      await cashier.locator('button[value="pay"]').click()
      await cashier.waitForURL('**/pay-result**')
      await cashier.getByText(fill(p['paid_title'], { title: formatOrderTitle(10, 'zh') }), { exact: true }).waitFor()
      await cashier.getByText(p['line_balance'], { exact: true }).waitFor() // visible to signed-in users only
      await cashier.close()
    }
  }
  // a phone returns by itself to the page where the payment started
  if (device === 'phone') await page.waitForURL((url) => url.pathname === '/api')
  else await dialog.getByText(p['done_title'], { exact: true }).waitFor()
  expect(new URL(page.url()).origin).toBe(base)
  expect(problems).toEqual([])
  await context.close()
})

test('without a network “I have paid” says that nothing was asked', async () => {
  const payer = await aBrowserPayer(browser, server)
  const { page, context } = payer
  onTestFailed(() => takeScreenshot(page, 'top-up-offline-failed').then(() => undefined))
  await page.goto(`${server.baseUrl}/api`)
  await page.getByRole('button', { name: g['recharge'], exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  // the choice of amounts has the focus, not the close button
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("name")')).toBe('recharge-preset')
  await dialog.getByRole('button', { name: /¥[\d,.]+/ }).click()
  await dialog.getByRole('link', { name: p['open_cashier'] }).waitFor()
  await context.setOffline(true)
  await dialog.getByRole('button', { name: p['i_have_paid'], exact: true }).click()
  await page.getByText(p['not_heard'], { exact: true }).waitFor()
  await dialog.getByText(p['doubt'], { exact: true }).waitFor()
  expect(await page.getByText(p['not_detected'], { exact: true }).count()).toBe(0)
  await context.close()
})

test('the control room: payments first, its links work, on a phone too', async () => {
  const payer = await aBrowserPayer(browser, server, PHONE_LOOK)
  const { page, context } = payer
  await page.goto(`${server.baseUrl}/sandbox?live=0`)
  await page.getByText('AlipayHK', { exact: true }).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true)
  await takeScreenshot(page, 'sandbox-phone')
  // agreements of other payers appear there too, above the payments
  await page.locator('td a[href^="/sandbox/pay/"]').first().click()
  await page.waitForURL('**/sandbox/pay/**')
  await page.goto(`${server.baseUrl}/sandbox?panel=mails&live=0`)
  await takeScreenshot(page, 'sandbox-mails-phone')
  await context.close()
})
