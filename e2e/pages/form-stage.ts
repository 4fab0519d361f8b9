import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openBrowserContext, measureOverflow } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { pasteText } from '#platform/testing/browsing/paste.ts'
import { seedSession } from '../signed-in.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

// Forms behind the sign-in with any input and any network condition: the input stays, the form reports the problem, and one press sends one
// call. The sign-in forms themselves are in e2e/journeys/sign-in/ways.test.ts.
export const FORM_LOOKS: readonly PageLook[] = [
  { width: 1440, lang: DEFAULT_LANG, theme: 'light' },
  { width: 414, lang: 'en', theme: 'dark' },
]
export const BAD_INPUTS = {
  'too long': '很长'.repeat(5_000),
  'full-width': 'ＡＢＣ１２３＠ｅｘａｍｐｌｅ．ｃｏｍ',
  'pasted': '  first\tsecond\u00a0third\u200b  ',
  'emoji': '👩‍🚀🏳️‍🌈👍🏽'.repeat(20),
  'script': `"><img src=x onerror=alert(1)><script>alert(1)</script>`,
  'right-to-left': 'مرحبا \u202eevil\u202c שלום',
  'blank': '   ',
} as const
export type BadInput = keyof typeof BAD_INPUTS

export interface FormPerson {
  readonly token: string
  readonly email: string
  readonly password: string
}

export interface FormField {
  readonly good: string
  /** Six boxes for digits that act as one field. */
  readonly boxes?: true
  /** Bad inputs that the form accepts; every other one is marked at the field, and nothing is sent. */
  readonly takes?: readonly BadInput[]
  /** Well-formed inputs that are wrong. */
  readonly wrong?: readonly string[]
  /** An amount field: rejects non-numeric input and keeps its value. */
  readonly amount?: true
}

export interface TestedForm<P extends FormPerson = FormPerson> {
  readonly name: string
  /** The form's user; a new one for each test if the form changes the identity. */
  readonly person: () => Promise<P>
  /** The form is shown before the sign-in. */
  readonly signedOut?: true
  readonly open: (page: Page, look: PageLook, person: P) => Promise<Locator>
  /** Fields in display order. */
  readonly fields: (person: P, look: PageLook) => Promise<readonly FormField[]>
  /** Submits by itself after the last digit. */
  readonly auto?: true
  /** URL of its call; defaults to any POST. */
  readonly sends?: RegExp
  /** It sends a read, which is retried automatically. */
  readonly repeats?: true
  /** Verification step between the press and the call. */
  readonly proof?: (page: Page) => Promise<unknown>
}

const failingReply = { status: 500, json: { code: 500, msg: 'x', data: null } }
/** Visible text inputs; each of six digit boxes counts. */
export const TEXT_INPUTS = 'input:not([type="checkbox"], [type="radio"], [type="hidden"], [aria-hidden="true"], [hidden]):visible, textarea:visible'
const submitOf = (form: Locator) => form.locator('button[type="submit"]').last()
const waitForComplaint = (form: Locator) => form.locator('[aria-invalid="true"], [role="alert"]:not(:empty), [aria-live] .text-danger').first().waitFor()

interface Stage {
  readonly context: BrowserContext
  readonly page: Page
  readonly box: Locator
  readonly errors: string[]
  readonly calls: string[]
  readonly fields: readonly FormField[]
  readonly at: (index: number) => Locator
  readonly write: (index: number, text: string) => Promise<void>
  readonly read: (index: number) => Promise<string>
  readonly isCall: (method: string, url: string) => boolean
}

async function openFormStage<P extends FormPerson>(browser: Browser, form: TestedForm<P>, look: PageLook): Promise<Stage> {
  const person = await form.person()
  const { context, page } = await openBrowserContext(browser, look)
  if (!form.signedOut) await seedSession(context, person.token)
  await context.addInitScript('window.ran = []; window.alert = () => window.ran.push(1)')
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const box = await form.open(page, look, person)
  const fields = await form.fields(person, look)
  const starts: number[] = []
  let count = 0
  for (const { boxes } of fields) {
    starts.push(count)
    count += boxes ? 6 : 1
  }
  const all = box.locator(TEXT_INPUTS)
  await expect.poll(() => all.count()).toBe(count)
  const isCall = (method: string, url: string) => (form.sends ? form.sends.test(url) : method === 'POST' && !/support|useTips/.test(url))
  const calls: string[] = []
  page.on('request', (request) => {
    if (isCall(request.method(), request.url())) calls.push(request.url())
  })
  const at = (index: number) => all.nth(starts[index]!)
  const read = async (index: number) => {
    if (!fields[index]!.boxes) return at(index).inputValue()
    return (await Promise.all(Array.from({ length: 6 }, (_, digit) => all.nth(starts[index]! + digit).inputValue()))).join('')
  }
  const write = async (index: number, text: string) => {
    if (!fields[index]!.boxes) return at(index).fill(text)
    for (let digit = 5; digit >= 0; digit--) await all.nth(starts[index]! + digit).press('Backspace')
    await at(index).click()
    await pasteText(page, text)
  }
  return { context, page, box, errors, calls, fields, at, write, read, isCall }
}

/** Tries every bad text in every field. */
async function testBadInput<P extends FormPerson>(browser: Browser, form: TestedForm<P>, look: PageLook): Promise<void> {
  const { context, page, box, errors, calls, fields, at, write, read, isCall } = await openFormStage(browser, form, look)
  await page.route('**/*', (route) => (isCall(route.request().method(), route.request().url()) ? route.fulfill(failingReply) : route.fallback()))
  const faults: string[] = []
  for (const [index, field] of fields.entries()) {
    const texts: [string, string][] = [...Object.entries(BAD_INPUTS), ...(field.wrong ?? []).map((text): [string, string] => [`wrong: ${text}`, text])]
    for (const [kind, text] of texts) {
      const fault = (what: string) => faults.push(`${form.name}, field ${index + 1}, ${kind}: ${what}`)
      const sent = calls.length
      // fields that submit by themselves come last
      await write(index, field.boxes ? '' : field.good)
      for (const [other, { good }] of fields.entries()) if (other !== index && !fields[other]!.boxes) await write(other, good)
      await write(index, text)
      const isOut = field.amount === true && kind in BAD_INPUTS && kind !== 'blank'
      if (isOut && (await read(index)) !== field.good) fault(`holds ${await read(index)}`)
      if (isOut) continue
      for (const [other, { good }] of fields.entries()) if (other !== index && fields[other]!.boxes) await write(other, good)
      await at(index).blur()
      const typed = await read(index)
      if (await submitOf(box).isEnabled()) {
        await submitOf(box).click()
        await waitForComplaint(box)
        await expect.poll(() => submitOf(box).isEnabled()).toBe(true)
      }
      if ((await read(index)) !== typed) fault(`${typed} became ${await read(index)}`)
      if ((await measureOverflow(page)) > 0) fault('wider than the window')
      const isTaken = field.takes?.some((each) => each === kind) ?? false
      if (!isTaken && (await at(index).getAttribute('aria-invalid')) !== 'true') fault('not named at the field')
      if (!isTaken && calls.length > sent) fault('sent')
    }
  }
  expect(faults).toEqual([])
  expect(await page.evaluate('window.ran')).toEqual([])
  expect(errors).toEqual([])
  await context.close()
}

/** Submits without a network, with a failing and a slow one, then with one that works. */
async function testBadNetwork<P extends FormPerson>(browser: Browser, form: TestedForm<P>, look: PageLook): Promise<void> {
  const { context, page, box, errors, calls, fields, at, write, read, isCall } = await openFormStage(browser, form, look)
  let answer: 'absent' | 'failing' | 'slow' = 'absent'
  let arrive = () => {}
  const held = new Promise<void>((done) => {
    arrive = done
  })
  await page.route('**/*', async (route) => {
    if (!isCall(route.request().method(), route.request().url())) return route.fallback()
    if (answer === 'absent') return route.abort('internetdisconnected')
    if (answer === 'slow') await held
    return route.fulfill(failingReply)
  })
  const good = fields.map((field) => field.good)
  const kept = () => Promise.all(good.map((_, index) => read(index)))
  const press = async () => {
    await submitOf(box).click()
    await form.proof?.(page)
  }
  const settled = () => expect.poll(() => submitOf(box).isEnabled()).toBe(true)
  const one = async (before: number) => {
    await expect.poll(() => calls.length).toBeGreaterThan(before)
    if (!form.repeats) expect(calls.length).toBe(before + 1)
  }
  for (const [index, text] of good.entries()) await write(index, text)
  if (form.auto) {
    await one(0)
    await waitForComplaint(box)
    await settled()
  }
  for (const way of ['absent', 'failing'] as const) {
    answer = way
    const before = calls.length
    await press()
    await one(before)
    await waitForComplaint(box)
    expect([way, await kept()]).toEqual([way, good])
    await settled()
  }
  answer = 'slow'
  const before = calls.length
  await press()
  await expect.poll(() => calls.length).toBe(before + 1)
  await submitOf(box)
    .click({ force: true, noWaitAfter: true, timeout: scaleTimeout(2_000) })
    .catch(() => {})
  await at(fields.length - 1)
    .press('Enter', { timeout: scaleTimeout(2_000) })
    .catch(() => {})
  expect(calls.length).toBe(before + 1)
  arrive()
  await settled()
  if (!form.repeats) expect(calls.length).toBe(before + 1)
  expect(await kept()).toEqual(good)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const done = page.waitForResponse((response) => isCall(response.request().method(), response.url()) && response.status() === 200)
  await press()
  expect((await (await done).json()).code).toBe(200)
  expect(errors).toEqual([])
  await context.close()
}

/** Runs both tests of each form; the looks alternate, and each form appears in both. */
export function testForms<P extends FormPerson>(browser: Browser, forms: readonly TestedForm<P>[]): void {
  describe.each(forms.map((form, at) => ({ form, name: form.name, turn: at })))('$name', ({ form, turn }) => {
    const [first, second] = turn % 2 ? [...FORM_LOOKS].toReversed() : FORM_LOOKS
    test(`bad input in every field, ${first!.lang} at ${first!.width}`, () => testBadInput(browser, form, first!))
    test(`an absent and a failing network keep what was typed; a second press sends nothing; after that it goes through, ${second!.lang} at ${second!.width}`, () =>
      testBadNetwork(browser, form, second!))
  })
}

/** Opens a dialog of the account page by its button. */
export async function openAccountDialog(
  page: Page,
  server: TestServer,
  { section, what }: { readonly section: string; readonly what: string },
): Promise<Locator> {
  await page.goto(`${server.baseUrl}/account?section=${section}`)
  await page.getByRole('button', { name: new RegExp(`^(?:\\S+ ?)?${what}$`, 'i') }).click()
  return page.getByRole('dialog').last()
}
