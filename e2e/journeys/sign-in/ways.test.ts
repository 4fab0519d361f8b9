import { expect, onTestFailed, test } from 'vitest'
import { runAxe, rotateLooks, openBrowser } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { solveCaptchaOverHttp, callPlatform, registerByHttp } from '../../visitor.ts'
import { chooseSignInWay, createEmail, openSignInDialog, clickSendCode, waitUntilSignedIn, waitUntilSignedOut, openAccountVisit } from '../account-visit.ts'
import type { AccountVisit } from '../account-visit.ts'

// Around the sign-in: redirects, other tabs, the back button, bad input, and network failures.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

const LOOKS: readonly PageLook[] = [
  { width: 1440, lang: 'zh', theme: 'dark' },
  { width: 414, lang: 'en', theme: 'light' },
]

async function openVisit(look: PageLook, name: string): Promise<AccountVisit> {
  const v = await openAccountVisit(browser, look)
  onTestFailed(async () => {
    await v.page.screenshot({ path: `e2e/.shots/failed-${name}-${look.width}-${look.lang}.png` }).catch(() => {})
  })
  return v
}

async function fillPassword({ form }: AccountVisit, email: string, password: string): Promise<void> {
  await form.locator('input[type=email]').fill(email)
  await form.locator('input[autocomplete="current-password"]').fill(password)
}

test.each(rotateLooks(LOOKS))(
  'a private page leads to sign-in and back to its path and query; a redirect elsewhere is not followed: $lang at $width',
  async (look) => {
    const user = await registerByHttp(server)
    const v = await openVisit(look, 'redirect')
    const onPage: AccountVisit = { ...v, form: v.page.locator('main') }
    const submit = () => onPage.form.getByRole('button', { name: v.a.auth_submit_login, exact: true }).click()
    await v.page.goto(`${server.baseUrl}/account?section=sessions`)
    await v.page.waitForURL('**/login?redirect=**')
    await chooseSignInWay(onPage, 'email', 'password')
    await fillPassword(onPage, user.email, user.password)
    await submit()
    await v.page.waitForURL('**/account?section=sessions')
    await v.page.getByText(v.s.ses_current).waitFor()
    // a signed-in user is redirected from the sign-in page
    await v.page.goto(`${server.baseUrl}/login`)
    await v.page.waitForURL('**/api')
    await v.page.goBack()
    await v.page.waitForURL('**/account?section=sessions')
    await v.context.close()

    for (const elsewhere of ['//evil.example/x', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const other = await openVisit(look, 'redirect-elsewhere')
      const page = { ...other, form: other.page.locator('main') }
      await other.page.goto(`${server.baseUrl}/login?redirect=${encodeURIComponent(elsewhere)}`)
      await chooseSignInWay(page, 'email', 'password')
      await fillPassword(page, user.email, user.password)
      await page.form.getByRole('button', { name: other.a.auth_submit_login, exact: true }).click()
      await other.page.waitForURL(`${server.baseUrl}/api`)
      await other.context.close()
    }
  },
)

test.each(rotateLooks(LOOKS))('two tabs sign in and out together: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const v = await openVisit(look, 'tabs')
  await openSignInDialog(v, server)
  const second = await v.context.newPage()
  const other: AccountVisit = { ...v, page: second, form: second.getByRole('dialog').last() }
  await openSignInDialog(other, server)
  await chooseSignInWay(other, 'email', 'password')
  await fillPassword(other, user.email, user.password)
  await other.form.locator('input[autocomplete="current-password"]').press('Enter')
  await second.waitForURL('**/api')
  // the first tab's dialog closes
  await expect.poll(() => v.page.getByRole('dialog', { name: v.a.auth_title_login }).count()).toBe(0)
  await waitUntilSignedIn(v.page)
  await v.page.goto(`${server.baseUrl}/account?section=security`)
  await v.page.getByText('Google').first().waitFor()
  await second.evaluate(`localStorage.removeItem('mx.session')`)
  await waitUntilSignedOut(v.page)
  await expect.poll(() => new URL(v.page.url()).pathname).toMatch(/^\/(en)?$/)
  await v.context.close()
})

const BAD_EMAILS = [
  'a@b',
  `${'x'.repeat(260)}@example.com`,
  '用户@例子.公司',
  '😀@example.com',
  '<script>alert(1)</script>',
  'a b@example.com',
  '\u202eabc@example.com',
  '',
]

test.each(rotateLooks(LOOKS))('bad input is named at its field and never sent: $lang at $width', async (look) => {
  const v = await openVisit(look, 'bad-input')
  const { page, form, a } = v
  let sent = 0
  await page.route(/\/user\/(passwordLogin|login|email|register)/, (route) => {
    sent++
    return route.abort()
  })
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'email', 'password')
  for (const bad of BAD_EMAILS) {
    await fillPassword(v, bad, 'x'.repeat(51))
    await form.getByRole('button', { name: a.auth_submit_login, exact: true }).click()
    await form.getByText(bad === '' ? a.auth_email_required : a.auth_email_invalid).waitFor()
    await form.getByText(a.auth_password_max).waitFor()
  }
  expect(await runAxe(page)).toEqual([])
  // full-width characters of a Chinese keyboard are converted on blur
  await form.locator('input[type=email]').fill('ｗａｎｇ＠example。com')
  await form.locator('input[type=email]').blur()
  expect(await form.locator('input[type=email]').inputValue()).toBe('wang@example.com')

  await chooseSignInWay(v, 'mobile', 'code')
  const phone = form.locator('input[type=tel]')
  for (const [typed, held, says] of [
    ['12345678901234', '12345678901', a.phoneValidate],
    ['1２３４５', '12345', a.phoneValidate],
    ['-1.5e3', '153', a.phoneValidate],
    ['😀<script>', '', a.auth_phone_required],
  ] as const) {
    await phone.fill(typed)
    expect(await phone.inputValue()).toBe(held)
    await clickSendCode(v)
    await form.getByText(says).waitFor()
  }
  // eight digits are read as a Hong Kong number on blur; a number pasted with its prefix opens its tab at once
  await phone.fill('61234567')
  await phone.blur()
  await expect.poll(() => form.getByRole('button', { name: a.auth_region_852, exact: true }).getAttribute('aria-pressed')).toBe('true')
  await phone.fill('+853 6123 4567')
  await expect.poll(() => form.getByRole('button', { name: a.auth_region_853, exact: true }).getAttribute('aria-pressed')).toBe('true')
  expect(await phone.inputValue()).toBe('61234567')
  expect(sent).toBe(0)
  await v.context.close()
})

test.each(rotateLooks(LOOKS))('slow, failing and absent network; a second press while the first runs sends nothing: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const v = await openVisit(look, 'network')
  const { page, form, a, context } = v
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'email', 'password')
  await fillPassword(v, user.email, user.password)
  const button = form.locator('form .btn-primary')
  // the captcha comes from the server, too: without a network it cannot load, and no input is lost
  await page.route('**/user/passwordLogin', (route) => route.abort('internetdisconnected'))
  await button.click()
  await form.getByRole('alert').getByText(/./).first().waitFor()
  expect(await form.locator('input[type=email]').inputValue()).toBe(user.email)
  expect(await runAxe(page)).toEqual([])
  await page.unroute('**/user/passwordLogin')

  await page.route('**/user/passwordLogin', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ code: 500, msg: 'x', data: null }) }),
  )
  await Promise.all([page.waitForResponse((reply) => reply.url().endsWith('/user/passwordLogin') && reply.status() === 500), button.click()])
  await form.getByRole('alert').getByText(/./).first().waitFor()
  await page.unroute('**/user/passwordLogin')

  let sent = 0
  let letGo = (): void => undefined
  const isLetGo = new Promise<void>((done) => (letGo = done))
  await page.route('**/user/passwordLogin', async (route) => {
    sent++
    await isLetGo
    await route.continue()
  })
  await button.click()
  await button.click({ force: true, timeout: scaleTimeout(500) }).catch(() => {})
  await form.locator('input[type=email]').press('Enter')
  await form.getByText(a.auth_slow).waitFor()
  letGo()
  await page.waitForURL('**/api')
  expect(sent).toBe(1)
  await context.close()
})

test('a code is asked for once however often the button is pressed, and the countdown follows the target', async () => {
  const v = await openVisit(LOOKS[0]!, 'resend')
  const { page, form, a } = v
  let sent = 0
  await page.route('**/user/email/verifyCode', async (route) => {
    sent++
    await new Promise((done) => setTimeout(done, 500))
    await route.continue()
  })
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'email', 'code')
  const [first, second] = [createEmail(), createEmail()]
  await form.locator('input[type=email]').fill(first)
  const button = form.getByRole('button', { name: a.auth_code_send, exact: true })
  await button.dblclick()
  const counting = form.getByRole('button', { name: new RegExp(a.auth_code_again.replace('{seconds}', '\\d+')) })
  await counting.waitFor()
  expect(await counting.isDisabled()).toBe(true)
  expect(sent).toBe(1)
  await form.locator('input[type=email]').fill(second)
  await button.waitFor()
  await form.locator('input[type=email]').fill(first)
  await counting.waitFor()
  // the server counts too: a new tab without the countdown gets the remaining wait from it
  const fresh = await openVisit(LOOKS[0]!, 'resend-fresh')
  await openSignInDialog(fresh, server)
  await chooseSignInWay(fresh, 'email', 'code')
  await fresh.form.locator('input[type=email]').fill(first)
  await clickSendCode(fresh)
  await fresh.form.getByRole('button', { name: new RegExp(a.auth_code_again.replace('{seconds}', '\\d+')) }).waitFor()
  await v.context.close()
  await fresh.context.close()
})

test('too many wrong passwords: the way out is a code', async () => {
  const user = await registerByHttp(server)
  for (let tries = 0; tries < 5; tries++)
    await callPlatform(server, 'POST', {
      path: '/user/passwordLogin',
      input: {
        email: user.email,
        password: 'wrong',
        captchaVerifyParam: await solveCaptchaOverHttp(server, 'login'),
      },
    })
  const v = await openVisit(LOOKS[1]!, 'locked')
  await openSignInDialog(v, server)
  await chooseSignInWay(v, 'email', 'password')
  await fillPassword(v, user.email, user.password)
  await v.form.getByRole('button', { name: v.a.auth_submit_login, exact: true }).click()
  await v.form.getByRole('alert').getByRole('button', { name: v.a.auth_use_code }).click()
  expect(await v.form.locator('input[type=email]').inputValue()).toBe(user.email)
  await v.form.getByRole('button', { name: v.a.auth_code_send }).waitFor()
  await v.context.close()
})
