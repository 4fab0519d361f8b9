import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { pasteText } from '#platform/testing/browsing/paste.ts'
import { securityTexts } from '#features/account/texts-security.ts'
import { captureCode, liftAddressLimits, createEmail, typeSixDigits } from '../journeys/account-visit.ts'
import { changeSetting } from '../journeys/pay-visit.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { openAccountDialog, BAD_INPUTS, FORM_LOOKS, TEXT_INPUTS, testForms } from './form-stage.ts'
import type { TestedForm, FormPerson } from './form-stage.ts'

// The dialogs that change sign-in methods and payment protection: each with a new user, and real codes at the end.
let server: TestServer
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer()
  await changeSetting(server, 'risk.captcha', 'off')
  await liftAddressLimits(server)
})
afterAll(() => server?.stop())

const registerPerson = () => registerByHttp(server)
const PIN = '739164'
const NEXT_PIN = '284617'
const PASSWORD = 'Another horse battery 8'
const createTestMobile = () => `139${String(randomInt(10_000_000, 99_999_999))}`
/** A code that a call sends to an address or a number. */
const codeOf = ({ token }: FormPerson, to: string, { path, input }: { readonly path: string; readonly input: object }) =>
  captureCode(server, to, async () => {
    const { code, msg } = await callPlatform(server, 'POST', { path, input: { captchaVerifyParam: '', ...input }, headers: { accesstoken: token } })
    expect([path, code, msg]).toEqual([path, 200, msg])
  })
const typePin = async (page: Page, digits: string, press: string) => {
  await page.getByRole('dialog').last().locator(TEXT_INPUTS).first().click()
  await page.keyboard.type(digits)
  await page.getByRole('dialog').last().getByRole('button', { name: press, exact: true }).click()
}
const targets = new WeakMap<FormPerson, string>()
const targetOf = (one: FormPerson, make: () => string) => {
  const target = targets.get(one) ?? make()
  targets.set(one, target)
  return target
}

/** Opens a dialog that requires a new step-up, because the session's last one is too old to change the account. */
const openAfterStepUp: TestedForm['open'] = async (page, { lang }, one) => {
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(
    `update account_sessions set proven_at = now() - interval '11 minutes' where user_id = (select user_id from account_identities where subject = $1)`,
    [one.email],
  )
  await db.close()
  await page.goto(`${server.baseUrl}/account?section=data`)
  await page.getByRole('button', { name: securityTexts[lang].data_export_action, exact: true }).click()
  return page.getByRole('dialog', { name: securityTexts[lang].step_title })
}

testForms(browser, [
  {
    name: 'change e-mail',
    person: registerPerson,
    open: (page, { lang }) => openAccountDialog(page, server, { section: 'security', what: securityTexts[lang].acc_email }),
    fields: async (one) => {
      const next = targetOf(one, createEmail)
      // full-width letters are converted on blur
      return [
        { good: next, takes: ['full-width'], wrong: ['name@host', 'na me@example.com', '@example.com'] },
        { good: await codeOf(one, next, { path: '/user/email/verifyCode', input: { email: next, verifyCodeType: 'updateEmail' } }), boxes: true },
      ]
    },
    auto: true,
  },
  {
    name: 'change mobile: who sits there',
    person: registerPerson,
    open: (page, { lang }) => openAccountDialog(page, server, { section: 'security', what: securityTexts[lang].acc_mobile }),
    fields: async (one) => [{ good: await codeOf(one, one.email, { path: '/user/updateUserMobile/verifyCode', input: {} }), boxes: true }],
    auto: true,
    sends: /updateUserMobile\/verify\?/,
    repeats: true,
  },
  {
    name: 'change mobile: the new number',
    person: registerPerson,
    open: async (page, { lang }, one) => {
      const box = await openAccountDialog(page, server, { section: 'security', what: securityTexts[lang].acc_mobile })
      await box.locator('input[autocomplete="one-time-code"]').first().waitFor()
      await typeSixDigits(box, await codeOf(one, one.email, { path: '/user/updateUserMobile/verifyCode', input: {} }))
      await box.locator('input[type=tel]').waitFor()
      return box
    },
    fields: async (one) => {
      const mobile = targetOf(one, createTestMobile)
      return [
        { good: mobile, wrong: ['1234', '23812345678'] },
        { good: await codeOf(one, `+86${mobile}`, { path: `/user/updateUserMobile/newMobileVerifyCode/${mobile}`, input: {} }), boxes: true },
      ]
    },
    auto: true,
  },
  {
    name: 'change password',
    person: registerPerson,
    open: (page, { lang }) => openAccountDialog(page, server, { section: 'security', what: securityTexts[lang].acc_password }),
    fields: async (one) => [
      { good: await codeOf(one, one.email, { path: '/user/verify/verifyCode/updatePassword', input: { by: 'email' } }), boxes: true },
      // a password is twelve to fifty characters of any kind; then the repeated one differs
      { good: PASSWORD, takes: ['full-width', 'pasted', 'right-to-left'], wrong: ['elevensigns', '123456789012'] },
      { good: PASSWORD, wrong: [PASSWORD.toLowerCase()] },
    ],
  },
  {
    name: 'payment password: the proof',
    person: registerPerson,
    open: async (page, { lang }) => {
      const s = securityTexts[lang]
      const box = await openAccountDialog(page, server, { section: 'security', what: s.acc_pay_password })
      await typePin(page, PIN, s.pay_next)
      await box.getByText(s.pay_again).waitFor()
      await typePin(page, PIN, s.pay_confirm)
      await box.locator('input[autocomplete="one-time-code"]').first().waitFor()
      return box
    },
    fields: async (one) => [{ good: await codeOf(one, one.email, { path: '/user/verify/password/verifyCode/email', input: {} }), boxes: true }],
    auto: true,
  },
  {
    name: 'who sits there: by password',
    person: registerPerson,
    open: openAfterStepUp,
    fields: async (one) => [{ good: one.password, takes: ['full-width', 'pasted', 'right-to-left'] }],
    sends: /\/user\/secondaryVerify$/,
  },
  {
    name: 'who sits there: by code',
    person: registerPerson,
    open: async (page, look, one) => {
      const box = await openAfterStepUp(page, look, one)
      await box.getByRole('button', { name: securityTexts[look.lang].step_use_code }).click()
      return box
    },
    fields: async (one) => [{ good: await codeOf(one, one.email, { path: '/user/sendSecondaryVerify', input: { by: 'email' } }), boxes: true }],
    auto: true,
    sends: /\/user\/secondaryVerify$/,
  },
  {
    name: 'delete the account',
    person: registerPerson,
    open: (page, { lang }) => openAccountDialog(page, server, { section: 'data', what: securityTexts[lang].data_delete_action }),
    // an old password may contain any character: up to fifty, it is checked by the server
    fields: async (one, { lang }) => [
      { good: one.password, takes: ['full-width', 'pasted', 'right-to-left'] },
      { good: securityTexts[lang].delete_word, wrong: ['delete'] },
    ],
  },
] satisfies readonly TestedForm[])

test.each(FORM_LOOKS)('six digits of a payment password take digits alone, $lang at $width', async (look) => {
  const s = securityTexts[look.lang]
  const one = await registerPerson()
  const set = async () => {
    const verifyCode = await codeOf(one, one.email, { path: '/user/verify/password/verifyCode/email', input: {} })
    expect(
      (await callPlatform(server, 'POST', { path: '/account/setPayPassword', input: { password: PIN, verifyCode }, headers: { accesstoken: one.token } })).code,
    ).toBe(200)
  }
  const { context, page } = await openBrowserContext(browser, look)
  await seedSession(context, one.token)
  const sent: string[] = []
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => {
    if (/PayPassword/.test(request.url())) sent.push(request.url())
  })
  for (const mode of ['set', 'modify'] as const) {
    if (mode === 'modify') await set()
    const box = await openAccountDialog(page, server, { section: 'security', what: s.acc_pay_password })
    const boxes = box.locator(TEXT_INPUTS)
    await expect.poll(() => boxes.count()).toBe(6)
    for (const [kind, text] of Object.entries(BAD_INPUTS)) {
      for (let at = 5; at >= 0; at--) await boxes.nth(at).press('Backspace')
      await boxes.first().click()
      await pasteText(page, text)
      const digits = text.normalize('NFKC').replaceAll(/\D/g, '')
      await expect.poll(async () => [kind, (await Promise.all([0, 1, 2, 3, 4, 5].map((at) => boxes.nth(at).inputValue()))).join('')]).toEqual([kind, digits])
      expect(await box.getByRole('button', { name: s.pay_next, exact: true }).isEnabled()).toBe(false)
    }
    await page.keyboard.press('Escape')
  }
  // the new password twice: no network, a failing one, then a slow one in which a second press sends nothing
  const box = await openAccountDialog(page, server, { section: 'security', what: s.acc_pay_password })
  // the step with the old password continues by itself
  await box.locator(TEXT_INPUTS).first().click()
  await page.keyboard.type(PIN)
  await box.getByText(s.pay_new, { exact: true }).waitFor()
  await typePin(page, NEXT_PIN, s.pay_next)
  await box.getByText(s.pay_again, { exact: true }).waitFor()
  let answer: 'absent' | 'slow' = 'absent'
  let arrive = () => {}
  const held = new Promise<void>((done) => {
    arrive = done
  })
  await page.route(/modifyPayPassword/, async (route) => {
    if (answer === 'absent') return route.abort('internetdisconnected')
    await held
    return route.continue()
  })
  await typePin(page, NEXT_PIN, s.pay_confirm)
  await box.locator('[role="alert"]:not(:empty)').waitFor()
  const confirm = box.getByRole('button', { name: s.pay_confirm, exact: true })
  await expect.poll(() => confirm.isEnabled()).toBe(true)
  expect(sent.length).toBe(1)
  answer = 'slow'
  await confirm.click()
  await expect.poll(() => sent.length).toBe(2)
  await confirm.click({ force: true, noWaitAfter: true, timeout: scaleTimeout(2_000) }).catch(() => {})
  await page.keyboard.press('Enter')
  expect(sent.length).toBe(2)
  arrive()
  await page.getByText(s.pay_done_modify).waitFor()
  expect([sent.length, errors]).toEqual([2, []])
  await context.close()
})
