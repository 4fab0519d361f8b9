import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { layerTexts } from '#apps/web/layer-texts.ts'
import { connect } from '#platform/server/db.ts'
import { openBrowser, openContext, overflow } from '#platform/testing/browser.ts'
import type { Look } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { signedIn } from '../signed-in.ts'
import { callPlatform, register } from '../visitor.ts'

// Whatever is typed into a form behind the sign-in, and whatever the network does: what was typed stays, the form says what is
// wrong, and one press sends one call. The forms of the sign-in itself are in e2e/journeys/sign-in-ways.test.ts.
const LOOKS: readonly Look[] = [
  { width: 1440, lang: 'zh', theme: 'light' },
  { width: 414, lang: 'en', theme: 'dark' },
]
const BAD: Readonly<Record<string, string>> = {
  'too long': '很长'.repeat(5_000),
  'full-width': 'ＡＢＣ１２３＠ｅｘａｍｐｌｅ．ｃｏｍ',
  'pasted': '  first\tsecond\u00a0third\u200b  ',
  'emoji': '👩‍🚀🏳️‍🌈👍🏽'.repeat(20),
  'script': `"><img src=x onerror=alert(1)><script>alert(1)</script>`,
  'right-to-left': 'مرحبا \u202eevil\u202c שלום',
  'blank': '   ',
}
let server: TestServer
let token: string
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer()
  token = (await register(server)).token
  const { data } = await callPlatform(server, 'GET', '/user/info', {}, { accesstoken: token })
  const db = connect(server.databaseUrl, { max: 1 })
  await aFundedUser(db, { userId: data.id })
  await db.close()
})
afterAll(() => server.stop())

interface Form {
  readonly name: string
  readonly open: (page: Page, look: Look) => Promise<Locator>
  /** Good values of its fields, in their order. */
  readonly good: readonly string[]
}

const section = (name: string) => async (page: Page) => {
  await page.goto(`${server.baseUrl}/account?section=${name}`)
  return page.locator('section[aria-labelledby="account-section"]')
}
const FORMS: readonly Form[] = [
  { name: 'profile', open: section('profile'), good: ['Xiao Ming', 'Wang', 'Ming'] },
  {
    name: 'invoice details',
    open: section('invoice'),
    good: ['Wang Ming', 'bill@example.com', 'China', 'Guangdong', 'Shenzhen', '1 Keji Road', '518057'],
  },
  {
    name: 'complaint',
    open: async (page, { lang }) => {
      await page.goto(`${server.baseUrl}/`)
      await page.locator('footer').getByRole('button', { name: layerTexts[lang].complaint }).click()
      await page.getByRole('dialog').getByRole('button', { name: layerTexts[lang].complaintReport }).click()
      return page.getByRole('dialog')
    },
    good: ['Paid twice', 'li@example.com', '20261120-8F31A0B2C4D6'],
  },
  {
    name: 'new key',
    open: async (page, { lang }) => {
      await page.goto(`${server.baseUrl}/api`)
      await page.getByRole('button', { name: gatewayTexts[lang]['createKey'], exact: true }).first().click()
      return page.getByRole('dialog')
    },
    good: ['Production'],
  },
]

const fieldsOf = (form: Locator) =>
  form.locator('input:not([type="checkbox"], [type="radio"], [type="hidden"], [aria-hidden="true"]):visible, textarea:visible')
const submitOf = (form: Locator) => form.locator('button[type="submit"]').last()
const complains = (form: Locator) => form.locator('[aria-invalid="true"], [role="alert"]:not(:empty)').first().waitFor()
const failing = { status: 500, json: { code: 500, msg: 'x', data: null } }

async function stage(form: Form, look: Look) {
  const { context, page } = await openContext(browser, look)
  await signedIn(context, token)
  await context.addInitScript('window.ran = []; window.alert = () => window.ran.push(1)')
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const box = await form.open(page, look)
  await fieldsOf(box)
    .nth(form.good.length - 1)
    .waitFor()
  expect(await fieldsOf(box).count()).toBe(form.good.length)
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && !/support|useTips/.test(request.url())) calls.push(request.url())
  })
  const fillGood = async () => {
    for (const [at, value] of form.good.entries()) await fieldsOf(box).nth(at).fill(value)
  }
  const kept = async () => Promise.all(form.good.map((_, at) => fieldsOf(box).nth(at).inputValue()))
  return { context, page, box, errors, calls, fillGood, kept }
}

describe.each(FORMS)('$name', (form) => {
  test.each(LOOKS)('bad input in every field, $lang at $width', async (look) => {
    const { context, page, box, errors, fillGood } = await stage(form, look)
    await page.route('**/*', (route) => (route.request().method() === 'POST' ? route.fulfill(failing) : route.fallback()))
    for (let at = 0; at < form.good.length; at++)
      for (const [kind, value] of Object.entries(BAD)) {
        await fillGood()
        const field = fieldsOf(box).nth(at)
        await field.fill(value)
        const typed = await field.inputValue()
        await submitOf(box).click()
        await complains(box)
        const after = await field.inputValue()
        expect([form.name, at, kind, after]).toEqual([form.name, at, kind, typed])
        expect([form.name, at, kind, await overflow(page)]).toEqual([form.name, at, kind, 0])
      }
    expect(await page.evaluate('window.ran')).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })

  test('an absent and a failing network keep what was typed; a second press sends nothing; after that it goes through', async () => {
    const { context, page, box, errors, calls, fillGood, kept } = await stage(form, LOOKS[0]!)
    let answer: 'absent' | 'failing' | 'slow' = 'absent'
    let arrive = () => {}
    const held = new Promise<void>((done) => {
      arrive = done
    })
    await page.route('**/*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      if (answer === 'absent') return route.abort('internetdisconnected')
      if (answer === 'slow') await held
      return route.fulfill(failing)
    })
    await fillGood()
    for (const way of ['absent', 'failing'] as const) {
      answer = way
      const asked = calls.length
      await submitOf(box).click()
      await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(asked + 1)
      await complains(box)
      expect([way, await kept()]).toEqual([way, form.good])
      await expect.poll(() => submitOf(box).isEnabled(), { timeout: 10_000 }).toBe(true)
    }
    answer = 'slow'
    const before = calls.length
    await submitOf(box).click()
    await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(before + 1)
    await submitOf(box)
      .click({ force: true, noWaitAfter: true, timeout: 2_000 })
      .catch(() => {})
    await fieldsOf(box)
      .last()
      .press('Enter', { timeout: 2_000 })
      .catch(() => {})
    arrive()
    await expect.poll(() => submitOf(box).isEnabled(), { timeout: 10_000 }).toBe(true)
    expect(calls.length).toBe(before + 1)
    expect(await kept()).toEqual(form.good)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const done = page.waitForResponse((response) => response.request().method() === 'POST' && response.status() === 200)
    await submitOf(box).click()
    expect((await (await done).json()).code).toBe(200)
    expect(errors).toEqual([])
    await context.close()
  })
})
