import { mkdirSync } from 'node:fs'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { runAxe, pickLook, openBrowser, readDownload } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { filterTexts } from '#features/payments/texts-filters.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { aSandboxOrder, aPaidSandboxOrder, aBrowserPayer, createPageCheck, pressCashierButton, takeScreenshot, fetchOrderState } from './pay-visit.ts'

// An order has a page of its own: it can be found, paid, cancelled and refunded there, regardless of the dialog's state.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

test.each(pickLook())('$width $lang $theme: an order from the list to its receipt and its refund', async (look) => {
  const [t, p] = [pageTexts[look.lang], paymentTexts[look.lang]]
  const payer = await aBrowserPayer(browser, server, look)
  const { page, context, problems } = payer
  const seen = createPageCheck(page, look)
  onTestFailed(() => takeScreenshot(page, `orders-failed-${look.width}`).then(() => undefined))
  await page.goto(`${server.baseUrl}/orders`)
  await page.getByText(t['orders_empty'], { exact: true }).waitFor()
  await seen('orders-empty')

  const cancelled = await aSandboxOrder(server, payer, { amount: '399.99' })
  const orderNo = await aSandboxOrder(server, payer, { amount: '20' })
  await page.reload()
  await page.getByText(orderNo).first().waitFor()
  await page.getByLabel(filterTexts[look.lang]['filter_last4'], { exact: true }).fill(orderNo.slice(-4).toLowerCase())
  await expect.poll(() => page.getByText(cancelled).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('no')).toBe(orderNo.slice(-4))
  await page.getByRole('button', { name: filterTexts[look.lang]['filter_refund'], exact: true }).click()
  await page.getByText(t['orders_none'], { exact: true }).waitFor()
  await page.getByRole('button', { name: t['clear'], exact: true }).click()
  await page.getByText(cancelled).first().waitFor()
  await seen('orders')

  // a complete order number, pasted, leads to its page
  await page.getByLabel(filterTexts[look.lang]['filter_last4'], { exact: true }).fill(cancelled)
  await page.waitForURL(`**/orders/${cancelled}`)
  await page.getByRole('button', { name: t['cancel'], exact: true }).waitFor()
  await seen('order-open')
  await page.getByRole('button', { name: t['cancel'], exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t['cancel'], exact: true }).click()
  await page.getByText(t['about_cancelled'], { exact: true }).waitFor()
  expect(await fetchOrderState(server, payer, cancelled)).toBe('cancelled')

  // paid on a phone while only the page is open: the page finds the payment by itself
  await page.goto(`${server.baseUrl}/orders/${orderNo}`)
  await page.getByRole('button', { name: new RegExp(fill(t['pay_now'], { amount: '¥' })) }).waitFor()
  await pressCashierButton(server, payer, { orderNo, action: 'pay' })
  await page.getByText(t['about_fulfilled'], { exact: true }).first().waitFor()
  const lines = await page.getByRole('group', { name: t['slip'] }).innerText()
  for (const sum of ['$20.00', '$0.70', '7.1230', '¥147.45']) expect(lines).toContain(sum)
  await seen('order-paid')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: t['receipt_pdf'], exact: true }).click()])
  expect(file.suggestedFilename()).toMatch(/^RC-\d{4}-\d{6}\.pdf$/)
  expect((await readDownload(file)).subarray(0, 5).toString()).toBe('%PDF-')

  await page.getByRole('button', { name: t['refund_ask'], exact: true }).click()
  const dialog = page.getByRole('dialog').filter({ has: page.getByLabel(t['refund_amount'], { exact: true }) })
  await dialog.getByLabel(t['refund_amount'], { exact: true }).fill('5')
  expect(await dialog.innerText()).toContain('¥35.6')
  await seen('order-refund')
  await dialog.getByRole('button', { name: fill(t['refund_send'], { amount: '$5.00' }), exact: true }).click()
  await page.getByText(t['about_refunding'], { exact: true }).waitFor()
  await page
    .getByText(fill(p['event_refund_requested'], { amount: '5.00' }), { exact: true })
    .first()
    .waitFor()
  await seen('order-refunding')
  expect(problems).toEqual([])
  await context.close()
})

test('an order of another customer, or one that does not exist, is not found', async () => {
  const owner = await aBrowserPayer(browser, server)
  const other = await aBrowserPayer(browser, server)
  const orderNo = await aPaidSandboxOrder(server, owner, { amount: '10' })
  for (const number of [orderNo, '20260101-AAAAAAAAAAAA', 'nonsense']) {
    await other.page.goto(`${server.baseUrl}/orders/${number}`)
    await other.page.getByText(pageTexts.zh['order_missing'], { exact: true }).waitFor()
  }
  await takeScreenshot(other.page, 'order-missing')
  expect(await runAxe(other.page)).toEqual([])
  await Promise.all([owner.context.close(), other.context.close()])
})
