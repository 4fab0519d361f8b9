import { expect, test } from 'vitest'
import { runAxe, pickLook, openBrowser, measureOverflow } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { aBrowserPayer, aSandboxOrder } from '../pay-visit.ts'

// The order waits for the face check of its payer. The server's half is tested in features/cards/server/opening/order-waits; here the first
// opening gets the same refusal, and the test checks the browser: its message, the next page, the stored order, and the payment after the
// return.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

test.each(pickLook())('an order that waits for the face check is paid by the extra pay URL ($lang at $width)', async (look) => {
  const [p, t] = [paymentTexts[look.lang], pageTexts[look.lang]]
  const payer = await aBrowserPayer(browser, server, look)
  const { page, context, problems } = payer
  const orderNo = await aSandboxOrder(server, payer, { amount: '20', transactionType: 5, tradeFrom: look.width === 414 ? 'H5' : 'QRCODE' })
  const asked: string[] = []
  page.on('request', (request) => void (/payParam|PayParam/.test(request.url()) && asked.push(new URL(request.url()).pathname)))
  await page.route('**/api/go/v1/payParam', (route) => route.fulfill({ json: { code: 2112, msg: 'face first', data: null } }))
  await page.goto(`${server.baseUrl}/orders/${orderNo}`)
  const pay = page.locator('main').getByRole('button', { name: /¥147.45/ })
  await pay.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t['identity_face_about'], { exact: true }).waitFor()
  const link = dialog.getByRole('link', { name: t['identity_face'], exact: true })
  expect(await link.getAttribute('href')).toMatch(new RegExp(`/face-verify\\?orderNo=${orderNo}$`))
  expect(await runAxe(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  await page.screenshot({ path: `e2e/.shots/face-first-${look.width}-${look.lang}-${look.theme}.png` })
  await link.click()
  await page.waitForURL((url) => url.pathname.endsWith('/open-account') || url.pathname.endsWith('/face-verify'))
  expect(new URL(page.url()).searchParams.get('orderNo')).toBe(orderNo)

  // back from the check, in another visit of the page: the stored order remembers which URL pays it
  await page.goto(`${server.baseUrl}/api?tab=view`)
  await page.getByRole('status').getByRole('button', { name: p['pending_continue'], exact: true }).click()
  if (look.width === 414) await page.waitForURL('**/sandbox/pay/**')
  else await dialog.getByRole('link', { name: p['go_pay'] }).waitFor()
  expect(asked).toEqual(['/api/go/v1/payParam', '/v1/pay/extraPayParam'])
  expect(problems).toEqual([])
  await context.close()
})
