import type { Locator, Page } from 'playwright-core'
import { expect, onTestFailed, test } from 'vitest'
import { openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { accountTexts } from '#features/account/texts.ts'
import { securityTexts } from '#features/account/texts-security.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { chooseSignInWay } from './account-visit.ts'
import { fetchMailedCode, fetchTextedCode } from '../visitor.ts'

// Counts the presses from "register" to the first successful call. A press is a click, a tap or a key that submits; filling a field is one.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

const LOOK: PageLook = { width: 1440, lang: 'zh', theme: 'light' }
const a = accountTexts.zh
const s = securityTexts.zh
const g = gatewayTexts.zh
const p = paymentTexts.zh

interface Person {
  readonly page: Page
  readonly dialog: Locator
  readonly press: (what: Locator) => Promise<void>
  readonly fill: (what: Locator, text: string) => Promise<void>
  readonly presses: () => number
}

async function openNewcomer(): Promise<Person> {
  const { page } = await openBrowserContext(browser, LOOK)
  onTestFailed(async () => void (await page.screenshot({ path: 'e2e/.shots/presses-failed.png' })))
  let count = 0
  const counted = (act: Promise<unknown>) => act.then(() => void count++)
  const dialog = page.getByRole('dialog').last()
  await page.goto(`${server.baseUrl}/`)
  await page.getByRole('button', { name: a.auth_submit_login, exact: true }).first().click()
  await dialog.getByRole('button', { name: a.auth_to_register, exact: true }).waitFor()
  return { page, dialog, press: (what) => counted(what.click()), fill: (what, text) => counted(what.fill(text)), presses: () => count }
}

const codeBox = (form: Locator) => form.locator('input[autocomplete="one-time-code"]').first()

test('by phone in at most 14', async () => {
  const { page, dialog, press, fill, presses } = await openNewcomer()
  await chooseSignInWay({ form: dialog, a }, 'mobile')
  await press(dialog.getByRole('button', { name: a.auth_to_register, exact: true }))
  await fill(dialog.locator('input[type=tel]'), '13900139077')
  await press(dialog.getByRole('button', { name: a.auth_code_send }))
  await fill(codeBox(dialog), await fetchTextedCode(server, '+8613900139077'))
  await page.waitForURL('**/api')
  const mail = page.getByRole('dialog', { name: s.email_title_bind })
  await mail.getByText(s.email_lead_forced).waitFor()
  await fill(mail.locator('input[type=email]'), 'press-phone@example.com')
  await press(mail.getByRole('button', { name: a.auth_code_send }))
  await fill(codeBox(mail), await fetchMailedCode(server, 'press-phone@example.com'))
  await mail.waitFor({ state: 'detached' })
  await reachFirstCall({ page, dialog, press, fill, presses })
  expect(presses()).toBeLessThanOrEqual(14)
})

test('by e-mail in at most 12', async () => {
  const { page, dialog, press, fill, presses } = await openNewcomer()
  await chooseSignInWay({ form: dialog, a }, 'email')
  await press(dialog.getByRole('button', { name: a.auth_to_register, exact: true }))
  await fill(dialog.getByLabel(a.auth_email, { exact: true }), 'press-mail@example.com')
  for (const field of [0, 1]) await fill(dialog.locator('input[autocomplete="new-password"]').nth(field), 'Correct horse battery 7')
  await press(dialog.getByRole('button', { name: a.auth_code_send }))
  await fill(codeBox(dialog), await fetchMailedCode(server, 'press-mail@example.com'))
  await page.waitForURL('**/api')
  await reachFirstCall({ page, dialog, press, fill, presses })
  expect(presses()).toBeLessThanOrEqual(12)
})

/** Tops up by a QR code that a phone scans, creates a key with the default name, and makes a call with it. */
async function reachFirstCall({ page, dialog, press }: Person): Promise<void> {
  await press(page.getByRole('button', { name: g.recharge, exact: true }).first())
  await press(dialog.getByRole('button', { name: /¥[\d,.]+/ }))
  const cashier = await dialog.getByRole('link', { name: p.open_cashier }).getAttribute('href')
  await fetch(cashier!, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' })
  await dialog.getByText(p.done_title, { exact: true }).waitFor()
  await press(dialog.getByRole('button', { name: p.done, exact: true }))
  await press(page.getByRole('button', { name: g.createKey, exact: true }).first())
  await press(dialog.getByRole('button', { name: g.create, exact: true }))
  const secret = await dialog.getByLabel(g.keySecretLabel).innerText()
  const reply = await fetch(`${server.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6.1-sol', messages: [{ role: 'user', content: '你好' }] }),
  })
  expect(reply.status).toBe(200)
}
