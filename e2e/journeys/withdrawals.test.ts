import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { securityTexts } from '#features/account/texts-security.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { formatOrderTitle } from '#features/payments/texts-titles.ts'
import { withdrawTexts } from '#features/payments/texts-withdraw.ts'
import {
  aPaidSandboxOrder,
  aBrowserPayer,
  chargeBackPayer,
  fundPayer,
  createPageCheck,
  PAYER_PIN,
  setPayerPin,
  takeScreenshot,
  typePayPin,
} from './pay-visit.ts'
import { callPlatform } from '../visitor.ts'

// Withdrawals: available amounts, recipients, methods and results, including refusals.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
const IDENTITY = '11010519491231002X'
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

test.each(pickLook())('$width $lang $theme: withdrawn, then refused for its name, then given up', async (look) => {
  const [t, p] = [withdrawTexts[look.lang], paymentTexts[look.lang]]
  const payer = await aBrowserPayer(browser, server, look)
  const { page, context, problems } = payer
  const seen = createPageCheck(page, look)
  onTestFailed(() => takeScreenshot(page, `withdrawals-failed-${look.width}`).then(() => undefined))
  await page.goto(`${server.baseUrl}/withdrawals`)
  await page.getByText(t['withdrawals_empty'], { exact: true }).waitFor()
  await seen('withdrawals-empty')
  const dialog = page.getByRole('dialog', { name: t['withdraw'], exact: true })
  await page.getByRole('button', { name: t['withdraw'], exact: true }).first().click()
  await dialog.getByText(t['withdraw_none'], { exact: true }).waitFor()
  await seen('withdraw-none')

  await aPaidSandboxOrder(server, payer, { amount: '20' })
  await fundPayer(server, payer, 300_000_000_000n)
  await setPayerPin(server, payer)
  await page.goto(`${server.baseUrl}/api`)
  await page.getByRole('button', { name: gatewayTexts[look.lang]['withdraw'], exact: true }).click()
  const amount = dialog.getByLabel(t['withdraw_amount'], { exact: true })
  const next = dialog.getByRole('button', { name: t['step_next'], exact: true })
  // the field is empty and has the focus
  expect(await amount.inputValue()).toBe('')
  if (look.width > 720) await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("inputmode")')).toBe('decimal')
  await amount.fill('900')
  await next.click()
  await dialog.getByText(fill(pageTexts[look.lang]['amount_large'], { max: '$319.00' }), { exact: true }).waitFor()
  await seen('withdraw-problems')
  // the whole amount returns through its original payment, so no recipient is required
  await amount.fill('20')
  await next.click()
  await dialog.getByRole('button', { name: fill(t['withdraw_next'], { amount: '$20.00' }), exact: true }).waitFor()
  expect(await dialog.locator('input').count()).toBe(0)
  await seen('withdraw-back')
  await dialog.getByRole('button', { name: t['step_back'], exact: true }).click()
  await amount.fill('50')
  await next.click()
  await expect.poll(() => dialog.getByRole('group', { name: pageTexts[look.lang]['slip'] }).innerText()).toContain('$50.00')
  await seen('withdraw-where')
  await next.click()
  const submit = dialog.getByRole('button', { name: fill(t['withdraw_next'], { amount: '$50.00' }), exact: true })
  await submit.click()
  await dialog.getByText(t['bad_identity'], { exact: true }).waitFor()
  await dialog.getByLabel(t['withdraw_alipay'], { exact: true }).fill('name@sandbox.example')
  await dialog.getByLabel(t['withdraw_name'], { exact: true }).fill('王小明')
  await dialog.getByLabel(t['withdraw_identity'], { exact: true }).fill(IDENTITY.toLowerCase())
  await seen('withdraw-form')
  await submit.click()
  await typePayPin(page, '111222')
  await page.getByText(fill(securityTexts[look.lang]['pay_wrong'], { left: '4' }), { exact: true }).waitFor()
  await seen('withdraw-password')
  await typePayPin(page)
  await dialog.getByRole('link', { name: t['withdraw_see'], exact: true }).waitFor()
  // the channel replies meanwhile
  await seen('withdraw-done', 'passes')
  await dialog.getByRole('link', { name: t['withdraw_see'], exact: true }).click()
  await page.waitForURL('**/withdrawals/W*')
  await page.getByText(p['withdraw_reason_name'], { exact: true }).first().waitFor()
  await seen('withdrawal-refused')
  expect(await page.locator('body').innerText()).not.toContain(IDENTITY)

  // corrected: a new account waits a day, and the withdrawal can be cancelled meanwhile
  await page.getByRole('button', { name: t['withdraw_again'], exact: true }).click()
  await dialog.getByLabel(t['withdraw_amount'], { exact: true }).fill('250')
  await next.click()
  await dialog.getByText(fill(t['withdraw_review'], { amount: '$200.00' }), { exact: true }).waitFor()
  await dialog.getByRole('button', { name: t['withdraw_change'], exact: true }).click()
  await dialog.getByLabel(t['withdraw_alipay'], { exact: true }).fill('13800138000')
  await dialog.getByLabel(t['withdraw_name'], { exact: true }).fill('王小明')
  await dialog.getByLabel(t['withdraw_identity'], { exact: true }).fill(IDENTITY)
  await dialog.getByRole('button', { name: fill(t['withdraw_next'], { amount: '$250.00' }), exact: true }).click()
  await typePayPin(page)
  await dialog.getByRole('link', { name: t['withdraw_see'], exact: true }).click()
  await page.getByRole('button', { name: t['withdraw_cancel'], exact: true }).waitFor()
  await seen('withdrawal-open')
  await page.getByRole('button', { name: t['withdraw_cancel'], exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t['withdraw_cancel'], exact: true }).click()
  await page.getByText(fill(t['w_about_cancelled'], { amount: '$250.00' }), { exact: true }).waitFor()
  await page.goto(`${server.baseUrl}/withdrawals`)
  await page.getByText(p['withdraw_state_cancelled'], { exact: true }).first().waitFor()
  // the part that returned through its channel is not reported as lost with the transfer
  await page.getByText(t['withdraw_partly'], { exact: true }).first().waitFor()
  await seen('withdrawals')
  expect(problems).toEqual([])
  await context.close()
})

test.each(pickLook())('$width $lang $theme: the page of a withdrawal that arrived, opened and watched', async (look) => {
  const [t, p] = [withdrawTexts[look.lang], paymentTexts[look.lang]]
  const payer = await aBrowserPayer(browser, server, look)
  const { page, context, problems, token } = payer
  await aPaidSandboxOrder(server, payer, { amount: '20' })
  await setPayerPin(server, payer)
  const headers = { 'accesstoken': token, 'idempotency-key': randomUUID() }
  const { data } = await callPlatform(server, 'POST', { path: '/v1/userWrapperApi/balanceRefund', input: { amount: '10.00', payPassword: PAYER_PIN }, headers })
  await page.goto(`${server.baseUrl}/withdrawals/${data.withdrawalNo}`)
  await page.getByText(p['withdraw_state_paid'], { exact: true }).first().waitFor()
  await page.getByText(fill(t['w_arrived_back'], { amount: '', method: p['method_1'] }).trim()).waitFor()
  await createPageCheck(page, look)('withdrawal-arrived')
  expect(problems).toEqual([])
  await context.close()
})

test.each(pickLook())('$width $lang $theme: a customer in debt reads how much, and tops up from there', async (look) => {
  const t = withdrawTexts[look.lang]
  const payer = await aBrowserPayer(browser, server, look)
  const { page, context, problems } = payer
  await fundPayer(server, payer, 30_000_000_000n)
  await chargeBackPayer(server, payer, 42_005_000_000n)
  await page.goto(`${server.baseUrl}/withdrawals`)
  await page.getByRole('button', { name: t['withdraw'], exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: t['withdraw'], exact: true })
  await dialog.getByText(fill(t['withdraw_owed'], { owed: '$12.01' }), { exact: true }).waitFor()
  await createPageCheck(page, look)('withdraw-owed')
  await dialog.getByRole('button', { name: t['withdraw_owed_pay'], exact: true }).click()
  await page.getByRole('dialog', { name: formatOrderTitle(10, look.lang), exact: true }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})
