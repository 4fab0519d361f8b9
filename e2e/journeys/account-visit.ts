import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { connect } from '#platform/server/database/db.ts'
import { openBrowserContext } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import type { ServerAddress } from '#platform/testing/server.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { accountTexts } from '#features/account/texts.ts'
import { securityTexts } from '#features/account/texts-security.ts'
import { liftLimitSettings } from '../limits.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

/** A user with a browser, the texts of its language, and the problems in its console. */
export interface AccountVisit {
  readonly context: BrowserContext
  readonly page: Page
  readonly problems: string[]
  readonly a: Readonly<Record<TextKeyOf<typeof accountTexts>, string>>
  readonly s: Readonly<Record<TextKeyOf<typeof securityTexts>, string>>
  readonly look: PageLook
  /** The open dialog, or the sign-in page. */
  readonly form: Locator
}

export async function openAccountVisit(browser: Browser, look: PageLook, more: Parameters<typeof openBrowserContext>[2] = {}): Promise<AccountVisit> {
  const { context, page, problems } = await openBrowserContext(browser, look, more)
  return { context, page, problems, look, a: accountTexts[look.lang], s: securityTexts[look.lang], form: page.getByRole('dialog').last() }
}

/** Raises the limits per IP address, as an operator would, because many users share one address. */
export async function liftAddressLimits(server: ServerAddress): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await liftLimitSettings(db)
  await db.close()
  await new Promise((done) => setTimeout(done, 2_100))
}

type MessageBox = 'mails' | 'sms'
const listMessages = async (server: ServerAddress, box: MessageBox, to: string) =>
  (await (await fetch(`${server.baseUrl}/sandbox/${box}?to=${encodeURIComponent(to)}`)).json()) as { code?: string }[]

/** Runs an action that sends a code, and returns the new code. */
export async function captureCode(server: ServerAddress, to: string, send: () => Promise<unknown>): Promise<string> {
  const box: MessageBox = to.startsWith('+') ? 'sms' : 'mails'
  const before = (await listMessages(server, box, to)).filter((one) => one.code).length
  await send()
  return waitForValue(async () => {
    const codes = (await listMessages(server, box, to)).filter((one) => one.code)
    return codes.length > before ? codes[0]!.code : undefined
  }, `a code for ${to}`)
}

/** Types into the first of the six boxes, as a user or an autofill does. */
export async function typeSixDigits(form: Locator, code: string): Promise<void> {
  await form.locator('input[autocomplete="one-time-code"]').first().click()
  await form.page().keyboard.type(code)
}

/** Opens the sign-in dialog on the landing page. */
export async function openSignInDialog({ page, a, form }: AccountVisit, server: ServerAddress): Promise<void> {
  await page.goto(`${server.baseUrl}/`)
  await page.getByRole('button', { name: a.auth_submit_login, exact: true }).first().click()
  await form.locator('input').first().waitFor()
}

/** Selects mobile or e-mail, code or password. */
export async function chooseSignInWay({ form, a }: Pick<AccountVisit, 'form' | 'a'>, way: 'mobile' | 'email', method?: 'code' | 'password'): Promise<void> {
  await form.getByRole('button', { name: a[`auth_way_${way}`], exact: true }).click()
  if (!method) return
  const other = form.getByRole('button', { name: a[method === 'code' ? 'auth_by_code' : 'auth_by_password'], exact: true })
  if (await other.count()) await other.click()
}

export async function clickSendCode({ form, a }: AccountVisit): Promise<void> {
  await form.getByRole('button', { name: a.auth_code_send, exact: true }).click()
}

export async function waitUntilSignedOut(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(`localStorage.getItem('mx.session')`)).toBeNull()
}

/** Waits until the session is stored. */
export async function waitUntilSignedIn(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(`localStorage.getItem('mx.session') !== null`)).toBe(true)
}

/** A unique address, because test files share a server. */
export const createEmail = () => `p-${randomUUID().slice(0, 13)}@example.com`
/** A random 11-digit number, almost certainly unused. */
export const createMobile = () => `137${String(randomInt(1e8)).padStart(8, '0')}`
