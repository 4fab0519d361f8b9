import { expect, onTestFailed, test } from 'vitest'
import { runAxe, rotateLooks, openBrowser, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { pasteText } from '#platform/testing/browsing/paste.ts'
import { callPlatform, solveCaptchaOverHttp, registerByHttp } from '../../visitor.ts'
import {
  chooseSignInWay,
  captureCode,
  createEmail,
  createMobile,
  openSignInDialog,
  clickSendCode,
  waitUntilSignedIn,
  typeSixDigits,
  openAccountVisit,
} from '../account-visit.ts'
import type { AccountVisit } from '../account-visit.ts'

// Sign-in and registration as users do them, against the real server and its outbox: each in at least two looks.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

const A: readonly PageLook[] = [
  { width: 1440, lang: 'zh', theme: 'light' },
  { width: 414, lang: 'en', theme: 'dark' },
]
const B: readonly PageLook[] = [
  { width: 414, lang: 'zh', theme: 'light' },
  { width: 1440, lang: 'en', theme: 'dark' },
]
const PASSWORD = 'Correct horse battery 7'

async function openVisit(look: PageLook, name: string): Promise<AccountVisit> {
  const v = await openAccountVisit(browser, look)
  onTestFailed(async () => {
    await v.page.screenshot({ path: `e2e/.shots/failed-${name}-${look.width}-${look.lang}.png` }).catch(() => {})
  })
  return v
}

async function expectNoProblems({ page, problems, context }: AccountVisit): Promise<void> {
  // the next page is still loading
  await expect.poll(() => runAxe(page), { interval: 500 }).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  expect(problems).toEqual([])
  await context.close()
}

test.each(rotateLooks(A))('register by e-mail, $lang at $width: what was typed outlives a change of form and a reload', async (look) => {
  const v = await openVisit(look, 'register-email')
  const { page, form, a } = v
  const email = createEmail()
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'email')
  await form.locator('input[type=email]').fill(email)
  await form.getByRole('button', { name: a.auth_to_register, exact: true }).click()
  expect(await form.locator('input[type=email]').inputValue()).toBe(email)
  await form.getByRole('button', { name: a.auth_submit_register, exact: true }).click()
  await form.getByText(a.auth_code_required).waitFor()
  expect(await runAxe(page)).toEqual([])

  const code = await captureCode(server, email, () => clickSendCode(v))
  const counting = form.getByRole('button', { name: new RegExp(a.auth_code_again.replace('{seconds}', '\\d+')) })
  await counting.waitFor()
  await page.reload()
  await counting.waitFor()
  expect(await form.locator('input[type=email]').inputValue()).toBe(email)

  // pasted as it appears in a mail: with spaces, in full-width digits
  await form.locator('input[autocomplete="one-time-code"]').first().focus()
  const wide = [...code].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(' ')
  await pasteText(page, wide)
  const passwords = form.locator('input[autocomplete="new-password"]')
  await passwords.first().fill(PASSWORD)
  await passwords.last().fill('another one 7')
  await form.getByRole('button', { name: a.auth_submit_register, exact: true }).click()
  await form.getByText(a.passwordMismatch).waitFor()
  await passwords.last().fill(PASSWORD)
  await form.getByRole('checkbox').uncheck()
  await form.getByRole('button', { name: a.auth_submit_register, exact: true }).click()
  await form.getByText(a.auth_agree_required).waitFor()
  await form.getByRole('checkbox').check()
  await passwords.last().press('Shift+Enter')
  await page.waitForTimeout(200)
  expect(new URL(page.url()).pathname).toMatch(/^\/(en)?$/)
  await passwords.last().press('Enter')
  await page.waitForURL('**/api')
  await expectNoProblems(v)
})

test.each(rotateLooks(B))('register by mobile, $lang at $width: a code for an unknown number registers it; then an e-mail must be bound', async (look) => {
  const v = await openVisit(look, 'register-mobile')
  const { page, form, a, s } = v
  const [mobile, email] = [createMobile(), createEmail()]
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'mobile', 'code')
  // pasted with prefix, spaces and full-width digits
  await form.locator('input[type=tel]').fill(`＋86 ${mobile.slice(0, 3)} ${mobile.slice(3, 7)}-${mobile.slice(7)}`)
  expect(await form.locator('input[type=tel]').inputValue()).toBe(mobile)
  await typeSixDigits(form, await captureCode(server, `+86${mobile}`, () => clickSendCode(v)))
  // six digits submit by themselves; the number is unknown, so the same code is carried over to the registration form
  await form.getByRole('button', { name: a.auth_submit_register, exact: true }).click()
  await page.waitForURL('**/api')

  await page.getByRole('dialog', { name: s.email_title_bind }).waitFor()
  expect(await runAxe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('dialog', { name: s.email_title_bind }).waitFor()
  await form.locator('input[type=email]').fill(email)
  await typeSixDigits(form, await captureCode(server, email, () => clickSendCode(v)))
  await page.getByText(s.email_done).waitFor()
  // an account without a password gets one prompt to set it, and not before the next visit
  await waitForQuietNetwork(page)
  expect(await page.getByText(s.prompt_body).count()).toBe(0)
  await page.evaluate('sessionStorage.clear()')
  await page.reload()
  await page.getByText(s.prompt_body).waitFor()
  await page.getByRole('button', { name: s.prompt_later }).click()
  await page.reload()
  await page.locator('h1').first().waitFor()
  await page.waitForTimeout(800)
  expect(await page.getByText(s.prompt_body).count()).toBe(0)
  await expectNoProblems(v)
})

test.each(rotateLooks(A))('login by code and by password, by e-mail and by mobile: $lang at $width', async (look) => {
  const v = await openVisit(look, 'login')
  const { page, form, a } = v
  const user = await registerByHttp(server)
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'email', 'code')
  await form.locator('input[type=email]').fill(` ${user.email.toUpperCase()} `)
  const code = await captureCode(server, user.email, () => clickSendCode(v))
  await typeSixDigits(form, code === '000000' ? '111111' : '000000')
  await form.getByText(a.error_CODE_WRONG).waitFor()
  expect(await runAxe(page)).toEqual([])
  await typeSixDigits(form, code)
  await page.waitForURL('**/api')

  const second = await openVisit(look, 'login-password')
  await openSignInDialog(second, server)
  await chooseSignInWay(second, 'email', 'password')
  await second.form.locator('input[type=email]').fill(user.email)
  await second.form.locator('input[type=password]').fill('wrong horse')
  await second.form.locator('input[type=password]').press('Enter')
  await second.form.getByText(a.error_LOGIN_FAILED).waitFor()
  await second.form.locator('input[type=password]').fill(user.password)
  await second.form.locator('input[type=password]').press('Enter')
  await second.page.waitForURL('**/api')
  await expectNoProblems(v)
  await expectNoProblems(second)
})

test.each(rotateLooks(B))('reset by e-mail, two steps, and back: $lang at $width', async (look) => {
  const v = await openVisit(look, 'reset')
  const { page, form, a } = v
  const user = await registerByHttp(server)
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'email', 'password')
  await form.locator('input[type=email]').fill(user.email)
  await form.getByRole('button', { name: a.auth_forgot }).click()
  expect(await form.locator('input[type=email]').inputValue()).toBe(user.email)
  await typeSixDigits(form, await captureCode(server, user.email, () => clickSendCode(v)))
  await form.getByRole('button', { name: a.auth_next, exact: true }).click()
  const passwords = form.locator('input[autocomplete="new-password"]')
  await passwords.first().waitFor()
  expect(await runAxe(page)).toEqual([])
  await form.getByRole('button', { name: a.auth_back }).click()
  await form.getByRole('button', { name: a.auth_next, exact: true }).click()
  await passwords.first().fill('12345678')
  await passwords.last().fill('12345678')
  await form.getByRole('button', { name: a.auth_submit_reset, exact: true }).click()
  await form.getByText(a.error_PASSWORD_WEAK).waitFor()
  await passwords.first().fill('A new horse 99')
  await passwords.last().fill('A new horse 99')
  await form.getByRole('button', { name: a.auth_submit_reset, exact: true }).click()
  await page.getByText(a.auth_done_reset).waitFor()
  await form.locator('input[autocomplete="current-password"]').fill('A new horse 99')
  await form.getByRole('button', { name: a.auth_submit_login, exact: true }).click()
  await waitUntilSignedIn(page)
  await page.waitForURL('**/api')
  await expectNoProblems(v)
})

test.each(rotateLooks(A))('reset by mobile, then in by mobile and password: $lang at $width', async (look) => {
  const v = await openVisit(look, 'reset-mobile')
  const { page, form, a } = v
  const mobile = createMobile()
  await registerMobile(mobile)
  await page.goto(`${server.baseUrl}/login?redirect=${encodeURIComponent('/account?section=security')}`)
  const main = page.locator('main')
  const onPage: AccountVisit = { ...v, form: main }
  await main.locator('input').first().waitFor()
  await chooseSignInWay(onPage, 'mobile', 'password')
  await main.getByRole('button', { name: a.auth_forgot }).click()
  await main.locator('input[type=tel]').fill(mobile)
  await typeSixDigits(main, await captureCode(server, `+86${mobile}`, () => clickSendCode(onPage)))
  await main.getByRole('button', { name: a.auth_next, exact: true }).click()
  const passwords = main.locator('input[autocomplete="new-password"]')
  await passwords.first().fill(PASSWORD)
  await passwords.last().fill(PASSWORD)
  await main.getByRole('button', { name: a.auth_submit_reset, exact: true }).click()
  await main.locator('input[autocomplete="current-password"]').fill(PASSWORD)
  expect(await main.locator('input[type=tel]').inputValue()).toBe(mobile)
  await main.getByRole('button', { name: a.auth_submit_login, exact: true }).click()
  // the page requested before the sign-in, with its query
  await page.waitForURL('**/account?section=security')
  await form.getByText(v.s.email_lead_forced).waitFor()
  await expectNoProblems(v)
})

/** Registers by mobile over HTTP. */
async function registerMobile(mobile: string): Promise<string> {
  const captchaVerifyParam = await solveCaptchaOverHttp(server, 'register')
  const verifyCode = await captureCode(server, `+86${mobile}`, () =>
    callPlatform(server, 'POST', { path: `/user/register/verifyCode/${mobile}`, input: { captchaVerifyParam } }),
  )
  return (await callPlatform(server, 'POST', { path: '/user/register', input: { mobile, verifyCode } })).data.token as string
}
