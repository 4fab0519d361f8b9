import { expect, onTestFailed, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { runAxe, rotateLooks, openBrowser, measureOverflow, type PageLook } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { seedSession as holdSession } from '../signed-in.ts'
import { callPlatform, solveCaptchaOverHttp, registerByHttp } from '../visitor.ts'
import { captureCode, createEmail, createMobile, clickSendCode, waitUntilSignedOut, typeSixDigits, openAccountVisit } from './account-visit.ts'
import type { AccountVisit } from './account-visit.ts'
import { LANGUAGES, nextLang } from '#platform/shared/languages.ts'

// The account page and its dialogs, against the real server and its outbox: each flow in at least two looks.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

const A: readonly PageLook[] = [
  { width: 1440, lang: 'zh', theme: 'light' },
  { width: 414, lang: 'en', theme: 'dark' },
]
const B: readonly PageLook[] = [
  { width: 414, lang: 'zh', theme: 'dark' },
  { width: 1440, lang: 'en', theme: 'light' },
]

type User = Awaited<ReturnType<typeof registerByHttp>>

/** A signed-in browser at a section of the account. */
async function openSection(look: PageLook, user: User, section: string): Promise<AccountVisit> {
  const v = await openAccountVisit(browser, look)
  onTestFailed(async () => {
    await v.page.screenshot({ path: `e2e/.shots/failed-account-${section}-${look.width}-${look.lang}.png` }).catch(() => {})
  })
  await holdSession(v.context, user.token)
  await v.page.goto(`${server.baseUrl}/account?section=${section}`)
  await v.page.getByRole('heading', { name: v.s[`acc_${section}` as 'acc_security'] }).waitFor()
  return v
}

/** Checks a dialog in each of its states: no axe violations, and nothing wider than the window. */
async function checkDialog({ page, look }: AccountVisit, name: string): Promise<void> {
  await page.screenshot({ path: `e2e/.shots/account-${name}-${look.width}-${look.lang}-${look.theme}.png` })
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}

async function sql(text: string, values: readonly unknown[]): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(text, values as never)
  await db.close()
}

const logIn = async ({ email, password }: User) =>
  callPlatform(server, 'POST', {
    path: '/user/passwordLogin',
    input: { email, password, captchaVerifyParam: await solveCaptchaOverHttp(server, 'login') },
  })
const infoOf = async (token: string) => (await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })).data
/** Presses a row's button, whose name combines its label and its row: “修改” and “邮箱”. */
const act = ({ page }: AccountVisit, what: string) => page.getByRole('button', { name: new RegExp(`^(?:\\S+ ?)?${what}$`, 'i') }).click()
const press = ({ form }: AccountVisit, name: string) => form.getByRole('button', { name, exact: true }).click()

/** Binds a mobile to a user, as the settings do. */
async function bindMobile(user: User): Promise<string> {
  const mobile = createMobile()
  const headers = { accesstoken: user.token }
  const param = () => solveCaptchaOverHttp(server, 'bind')
  const first = await captureCode(server, user.email, async () =>
    callPlatform(server, 'POST', { path: '/user/updateUserMobile/verifyCode', input: { captchaVerifyParam: await param() }, headers }),
  )
  const { verifyFlow } = (await callPlatform(server, 'GET', { path: '/user/updateUserMobile/verify', input: { verifyCode: first }, headers })).data
  const second = await captureCode(server, `+86${mobile}`, async () =>
    callPlatform(server, 'POST', { path: `/user/updateUserMobile/newMobileVerifyCode/${mobile}`, input: { captchaVerifyParam: await param() }, headers }),
  )
  const done = await callPlatform(server, 'POST', {
    path: '/user/updateUserMobile/verifyLastStep',
    input: { newMobile: mobile, verifyCode: second, verifyFlow },
    headers,
  })
  expect(done.code).toBe(200)
  return mobile
}

test.each(rotateLooks(A))('change the e-mail; a stale session must prove its user first: $lang at $width', async (look) => {
  const [user, next] = [await registerByHttp(server), createEmail()]
  const v = await openSection(look, user, 'security')
  const { page, form, a, s } = v
  await sql(`update account_sessions set proven_at = now() - interval '11 minutes' where user_id = $1`, [(await infoOf(user.token)).id])
  await act(v, s.acc_email)
  await form.locator('input[type=email]').fill(user.email)
  await typeSixDigits(form, await captureCode(server, user.email, () => clickSendCode(v)))
  await form.getByText(a.error_EMAIL_SAME).waitFor()
  await checkDialog(v, 'email-same')
  await form.locator('input[type=email]').fill(next)
  await typeSixDigits(form, await captureCode(server, next, () => clickSendCode(v)))
  await page.getByRole('dialog', { name: s.step_title }).waitFor()
  await checkDialog(v, 'step-up')
  await form.locator('input[type=password]').fill('not it')
  await press(v, s.step_action)
  await form.getByText(s.step_wrong).waitFor()
  await form.locator('input[type=password]').fill(user.password)
  await press(v, s.step_action)
  await page.getByText(s.email_done).waitFor()
  // the step-up gave this browser a new token, so its session continues
  await page.reload()
  await page.getByText('@example.com').first().waitFor()
  await v.context.close()
})

test.each(rotateLooks(B))('change the mobile in two steps, and start over when the first has run out: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const old = await bindMobile(user)
  const next = createMobile()
  const v = await openSection(look, user, 'security')
  const { page, form, a, s } = v
  await act(v, s.acc_mobile)
  await press(v, a.auth_next)
  await form.getByText(a.auth_code_required).waitFor()
  await checkDialog(v, 'mobile-1')
  await typeSixDigits(form, await captureCode(server, `+86${old}`, () => clickSendCode(v)))
  await form.locator('input[type=tel]').waitFor()
  await form.locator('input[type=tel]').fill(old)
  await clickSendCode(v)
  await form.getByText(a.error_MOBILE_SAME).or(form.getByText(a.auth_code_required)).first().waitFor()
  await checkDialog(v, 'mobile-2')
  await form.locator('input[type=tel]').fill(next)
  const code = await captureCode(server, `+86${next}`, () => clickSendCode(v))
  await typeSixDigits(form, code)
  await page.getByText(s.mobile_done).waitFor()
  expect((await infoOf(user.token)).mobile).toBe(next)
  // a reload in the middle restarts at the first step and loses nothing
  await act(v, s.acc_mobile)
  await form.getByText(s.mobile_step_1).waitFor()
  await page.reload()
  await form.getByText(s.mobile_step_1).waitFor()
  await page.keyboard.press('Escape')
  await v.context.close()
})

test.each(rotateLooks(A))('change the password: twelve at least, not the number, and other devices are out: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const mobile = await bindMobile(user)
  const other = await logIn(user)
  const v = await openSection(look, user, 'security')
  const { page, form, a, s } = v
  await act(v, s.acc_password)
  const passwords = form.locator('input[autocomplete="new-password"]')
  // the cursor moves with the press, not a frame later: the next input goes to the position that the user selected
  const marked = await form.getByRole('button', { name: s.password_action, exact: true }).evaluate(async (button: any) => {
    button.focus()
    button.click()
    await Promise.resolve()
    return button.ownerDocument.activeElement?.getAttribute('aria-invalid')
  })
  expect(marked).toBe('true')
  for (const [typed, says] of [
    ['short', a.auth_password_length_12],
    ['123456789012345', a.auth_password_digits],
    [`my number ${mobile}`, a.auth_password_mobile],
    ['x'.repeat(51), a.auth_password_max],
  ] as const) {
    await passwords.first().fill(typed)
    await passwords.last().fill(typed)
    await press(v, s.password_action)
    await form.getByText(says).waitFor()
  }
  await checkDialog(v, 'password-errors')
  await passwords.first().fill('A brand new horse 88')
  await passwords.last().fill('A brand new horse 88')
  await form.getByRole('button', { name: s.sec_by_email, exact: true }).click()
  await typeSixDigits(form, await captureCode(server, user.email, () => clickSendCode(v)))
  await press(v, s.password_action)
  await page.getByText(s.password_done).waitFor()
  expect((await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: other.data.token } })).code).not.toBe(200)
  expect((await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: user.token } })).code).toBe(200)
  await v.context.close()
})

/** Types six digits into the boxes on the page. */
async function typeSix({ page, form }: AccountVisit, digits: string): Promise<void> {
  await form.locator('input[autocomplete="off"][inputmode="numeric"]').first().click()
  await page.keyboard.type(digits)
}

test.each(rotateLooks(B))('payment password: set, change, and reset after five wrong tries: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const mobile = await bindMobile(user)
  const v = await openSection(look, user, 'security')
  const { page, form, s } = v
  await act(v, s.acc_pay_password)
  await typeSix(v, '123456')
  await press(v, s.pay_next)
  await form.getByText(s.pay_weak).waitFor()
  await checkDialog(v, 'pay-weak')
  await typeSix(v, '739164')
  await press(v, s.pay_next)
  await form.getByText(s.pay_again).waitFor()
  await typeSix(v, '739165')
  await press(v, s.pay_confirm)
  await form.getByText(s.inputCorrectCodeTips2).waitFor()
  for (const button of [s.pay_next, s.pay_confirm]) {
    await typeSix(v, '739164')
    await press(v, button)
  }
  const code = await captureCode(server, `+86${mobile}`, () => clickSendCode(v))
  await checkDialog(v, 'pay-proof')
  await typeSixDigits(form, code)
  await page.getByText(s.pay_done_set).filter({ visible: true }).first().waitFor()

  const change = async (old: string, next: string) => {
    await typeSix(v, old)
    await form.getByText(s.pay_new).waitFor()
    for (const button of [s.pay_next, s.pay_confirm]) {
      await typeSix(v, next)
      await press(v, button)
    }
  }
  await page.reload()
  await act(v, s.acc_pay_password)
  await change('739164', '820475')
  await page.getByText(s.pay_done_modify).waitFor()

  await page.reload()
  await act(v, s.acc_pay_password)
  for (let left = 4; left > 0; left--) {
    await change('111222', '640173')
    await form.getByText(s.pay_wrong.replace('{left}', String(left))).waitFor()
  }
  await checkDialog(v, 'pay-wrong')
  await change('111222', '640173')
  await page.getByRole('dialog', { name: s.pay_title_reset, exact: true }).waitFor()
  await checkDialog(v, 'pay-reset')
  for (const button of [s.pay_next, s.pay_confirm]) {
    await typeSix(v, '551907')
    await press(v, button)
  }
  // the mobile just got a code; the e-mail can get one at once
  await form.getByRole('button', { name: s.sec_by_email, exact: true }).click()
  await typeSixDigits(form, await captureCode(server, user.email, () => clickSendCode(v)))
  await page.getByText(s.pay_done_reset).waitFor()
  const right = await callPlatform(server, 'POST', { path: '/account/verifyPayPassword', input: { password: '551907' }, headers: { accesstoken: user.token } })
  expect(right.data.resultType).toBe(0)
  await v.context.close()
})

test.each(rotateLooks(A))('any feature may ask for the payment password: set, wrong, right, reset after five: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const v = await openSection(look, user, 'security')
  const { page, form, s } = v
  // The dialog closes once the server has accepted the change. The page's samples always show the toast's text.
  const done = () => page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  const ask = async () => {
    await page.goto(`${server.baseUrl}/dev/ui`)
    await page.getByRole('button', { name: look.lang === 'zh' ? '支付密码' : 'Payment password', exact: true }).click()
    await form.locator('input[inputmode="numeric"]').first().waitFor()
  }
  await ask()
  await page.getByRole('dialog', { name: s.pay_title_set }).waitFor()
  for (const button of [s.pay_next, s.pay_confirm]) {
    await typeSix(v, '739164')
    await press(v, button)
  }
  await typeSixDigits(form, await captureCode(server, user.email, () => clickSendCode(v)))
  await done()

  await ask()
  await typeSix(v, '111222')
  await form.getByText(s.pay_wrong.replace('{left}', '4')).waitFor()
  await checkDialog(v, 'pay-ask')
  await typeSix(v, '739164')
  await done()

  await ask()
  for (let left = 4; left > 0; left--) {
    await typeSix(v, '111222')
    await form.getByText(s.pay_wrong.replace('{left}', String(left))).waitFor()
  }
  await typeSix(v, '111222')
  await page.getByRole('dialog', { name: s.pay_title_reset, exact: true }).waitFor()
  // closed and reopened, the dialog still requires the reset
  await page.keyboard.press('Escape')
  await ask()
  await page.getByRole('dialog', { name: s.pay_title_reset, exact: true }).waitFor()
  await v.context.close()
})

test.each(rotateLooks(A))('sessions: end one, then all others; the ended browser is out at its next step: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const [first, second] = [(await logIn(user)).data.token as string, (await logIn(user)).data.token as string]
  const other = await openSection(look, { ...user, token: second }, 'sessions')
  const v = await openSection(look, user, 'sessions')
  const { page, s } = v
  await page.getByText(s.ses_current).waitFor()
  await checkDialog(v, 'sessions')
  const ends = page.locator('main li').getByRole('button')
  expect(await ends.count()).toBe(2)
  await ends.first().click()
  await expect.poll(() => ends.count()).toBe(1)
  await act(v, s.ses_end_others)
  await page.getByRole('alertdialog').waitFor()
  await checkDialog(v, 'sessions-confirm')
  await page.getByRole('alertdialog').getByRole('button', { name: s.ses_end_others, exact: true }).click()
  await page.getByText(s.ses_ended_others).waitFor()
  await expect.poll(() => ends.count()).toBe(0)
  for (const token of [first, second]) expect((await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })).code).not.toBe(200)
  await other.page.reload()
  await waitUntilSignedOut(other.page)
  await other.context.close()
  await v.context.close()
})

test.each(rotateLooks(B))('profile, invoice details, mails and language are kept; data can be taken away: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const v = await openSection(look, user, 'profile')
  const { page, s, a } = v
  const main = page.locator('main')
  const save = () => main.getByRole('button', { name: s.save, exact: true }).click()
  await main.getByLabel(s.pro_name, { exact: true }).fill('x'.repeat(51))
  await save()
  await main.getByText(a.field_line).waitFor()
  await main.getByLabel(s.pro_name, { exact: true }).fill('小明 <b>مرحبا</b> 👩‍🚀')
  await save()
  await page.getByText(s.saved, { exact: true }).waitFor()
  await checkDialog(v, 'profile')
  expect((await infoOf(user.token)).name).toBe('小明 <b>مرحبا</b> 👩‍🚀')

  await page.goto(`${server.baseUrl}/account?section=invoice`)
  await save()
  await main.getByText(a.field_required).first().waitFor()
  await checkDialog(v, 'invoice-errors')
  const values = {
    inv_userName: '王 小明',
    inv_email: 'tax@example.com',
    inv_country: '中国',
    inv_state: '上海',
    inv_city: '上海',
    inv_postalCode: '200000',
    inv_addressLine: '南京路 1 号',
  }
  await main.getByLabel(s.inv_userName, { exact: true }).fill('R2-D2')
  await save()
  await main.getByText(a.field_letters).waitFor()
  for (const [key, value] of Object.entries(values)) await main.getByLabel(s[key as 'inv_city'], { exact: true }).fill(value)
  await save()
  await page.getByText(s.saved, { exact: true }).waitFor()
  await page.reload()
  await expect.poll(() => main.getByLabel(s.inv_addressLine, { exact: true }).inputValue()).toBe('南京路 1 号')

  await page.goto(`${server.baseUrl}/account?section=mails`)
  const news = main.getByRole('switch', { name: s.mails_productNews })
  expect(await news.isChecked()).toBe(false)
  const answered = page.waitForResponse('**/user/updateMailChoices')
  await news.check()
  await answered
  await checkDialog(v, 'mails')
  await page.reload()
  await expect.poll(() => news.isChecked()).toBe(true)

  await page.goto(`${server.baseUrl}/account?section=look`)
  await main.getByRole('button', { name: s.look_dark, exact: true }).waitFor()
  await checkDialog(v, 'look')
  const told = page.waitForResponse('**/user/updateUserInfo')
  await main.getByRole('button', { name: LANGUAGES[nextLang(look.lang)].name, exact: true }).click()
  await told
  expect((await infoOf(user.token)).language).toBe(nextLang(look.lang))
  await v.context.close()

  const last = await openSection(look, user, 'data')
  const file = last.page.waitForEvent('download')
  await act(last, s.data_export_action)
  const text = await (await (await file).createReadStream()).toArray()
  expect(Buffer.concat(text).toString()).toContain(user.email)
  await last.context.close()
})

test.each(rotateLooks(A))('close the account: obstacles are shown first, then a typed word and the password: $lang at $width', async (look) => {
  const user = await registerByHttp(server)
  const v = await openSection(look, user, 'data')
  const { page, form, s } = v
  await act(v, s.data_delete_action)
  await form.locator('input[type=password]').fill(user.password)
  await press(v, s.delete_action)
  await form.getByText(s.delete_mistyped.replace('{word}', s.delete_word)).last().waitFor()
  await checkDialog(v, 'delete')
  await form.getByLabel(s.delete_type.replace('{word}', s.delete_word)).fill(` ${s.delete_word.toUpperCase()} `)
  await form.locator('input[type=password]').fill('not it')
  await press(v, s.delete_action)
  await form.getByText(s.step_wrong).waitFor()
  await form.locator('input[type=password]').fill(user.password)
  await press(v, s.delete_action)
  await waitUntilSignedOut(page)
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/(en)?$/)
  const again = await logIn(user)
  expect(again.code).toBe(1010)
  await v.context.close()
})
