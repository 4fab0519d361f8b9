import { createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { runAxe, RUN_LOOKS, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { webTexts } from '#platform/web/texts.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { uiTexts } from '#ui/texts.ts'
import { riskTexts } from '#features/risk/texts.ts'

// The captcha as a user sees it, in a real browser against the real server; /dev/ui has a button that triggers one.
const SECRET = randomBytes(32)
const r = riskTexts.zh
const browser = await openBrowser()
let server: TestServer
let db: Db
beforeAll(async () => {
  server = await startTestServer({ env: { SECRET_KEY: SECRET.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,sms' } })
  db = connect(server.databaseUrl, { max: 2 })
})
afterAll(async () => {
  await db?.close()
  await server?.stop()
})
beforeEach(() => changeCaptchaKind('slide'))

/** Changes the kind as an operator would; the server picks it up within two seconds. */
async function changeCaptchaKind(kind: string): Promise<void> {
  await db.query(`insert into settings (key, value, updated_by) values ('risk.captcha', $1, 'test') on conflict (key) do update set value = excluded.value`, [
    JSON.stringify(kind),
  ])
  await expect
    .poll(async () => ((await (await fetch(`${server.baseUrl}/common/captcha/challenge?scene=security`)).json()) as any).data?.challenge.kind, {
      timeout: scaleTimeout(10_000),
      // an address has a limit of challenges per minute
      interval: 500,
    })
    .toBe(kind)
}

const LOOK: PageLook = { width: 1440, lang: 'zh', theme: 'light' }
const popup = (page: Page) => page.getByRole('dialog', { name: /^(人机验证|Human check)$/ })
const slider = (page: Page) => popup(page).getByRole('slider')
/** Until the pop-up has taken the focus, a key press goes to the page below. */
const waitForFocus = (page: Page) => expect.poll(() => slider(page).evaluate((handle) => handle === (globalThis as any).document.activeElement)).toBe(true)
/** The notice that the call succeeded; the page shows the same text elsewhere, too. */
const waitForPassed = (page: Page) =>
  page
    .getByRole('region', { name: new RegExp(`^(${uiTexts.zh['notices']}|${uiTexts.en['notices']})`) })
    .getByText(/^(已保存|Saved)$/)
    .first()

/** The current input of the form: e-mail and password. */
async function signInByPassword(form: Locator): Promise<void> {
  await form
    .getByRole('radio', { name: '邮箱' })
    .or(form.getByRole('tab', { name: '邮箱' }))
    .or(form.getByRole('button', { name: '邮箱', exact: true }))
    .first()
    .click()
  await form.getByRole('button', { name: '密码登录' }).click()
  await form.locator('input[type="email"]').fill('somebody@example.com')
  await form.locator('input[autocomplete="current-password"]').fill('Correct horse battery 7')
  await form.locator('button[type="submit"]').click()
}

async function requestCaptcha(page: Page): Promise<void> {
  await page.goto(`${server.baseUrl}/dev/ui`)
  await page.getByRole('button', { name: /^(人机验证|Human check)$/ }).click()
}

/** Position of the hole in the newest puzzle, decrypted with the server's key, which no outsider has. */
async function decryptHole(): Promise<number> {
  const [row] = await db.query<{ id: string; answer: Buffer }>(`select id, answer from risk_puzzles where state = 'open' order by ends_at desc limit 1`)
  const installation = hkdfSync('sha256', SECRET, createHash('sha256').update('mingxi').digest(), 'installation', 32)
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(installation), Buffer.alloc(0), 'risk.captcha.slide', 32))
  const { id, answer } = row!
  const decipher = createDecipheriv('aes-256-gcm', key, answer.subarray(0, 12)).setAAD(Buffer.from(id))
  decipher.setAuthTag(answer.subarray(12, 28))
  return Number(Buffer.concat([decipher.update(answer.subarray(28)), decipher.final()]).toString())
}

/** Drags the piece to `x` like a person: in uneven steps. */
async function dragTo(page: Page, x: number): Promise<void> {
  const box = (await slider(page).boundingBox())!
  const track = (await slider(page).locator('..').boundingBox())!
  const room = track.width - 2 - box.width
  const [startX, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(startX, y)
  await page.mouse.down()
  for (const share of [0.08, 0.22, 0.41, 0.63, 0.8, 0.93, 0.99, 1]) {
    await page.mouse.move(startX + (x / 256) * room * share, y + share * 3)
    await page.waitForTimeout(35 + share * 20)
  }
  await page.mouse.up()
}

/** As fast as a key repeats: a solution in less than 200 ms is rejected as automated. */
async function moveByKeys(page: Page, x: number): Promise<void> {
  for (let at = 0; at + 6 <= x; at += 6) await page.keyboard.press('ArrowRight', { delay: 30 })
  for (let at = x - (x % 6); at < x; at++) await page.keyboard.press('Shift+ArrowRight', { delay: 30 })
}

test('the hidden challenge is solved in a worker and nothing is seen', async () => {
  await changeCaptchaKind('altcha')
  const { page, problems, context } = await openBrowserContext(browser, LOOK)
  await requestCaptcha(page)
  await waitForPassed(page).waitFor()
  expect(await popup(page).count()).toBe(0)
  expect(problems).toEqual([])
  await context.close()
})

test('a slow hidden challenge says so', async () => {
  await changeCaptchaKind('altcha')
  const { page, context } = await openBrowserContext(browser, LOOK)
  let arrive = () => {}
  const held = new Promise<void>((done) => {
    arrive = done
  })
  await page.route('**/common/captcha/challenge*', async (route) => {
    await held
    await route.continue()
  })
  await requestCaptcha(page)
  await page.getByRole('status').filter({ hasText: r['captcha.working'] }).waitFor()
  await page.screenshot({ path: 'e2e/.shots/captcha-slow.png' })
  arrive()
  await waitForPassed(page).waitFor()
  await page.getByRole('status').filter({ hasText: r['captcha.working'] }).waitFor({ state: 'hidden' })
  await context.close()
})

test.each(RUN_LOOKS)('the puzzle, dragged: $width $lang $theme', async (look) => {
  const { page, problems, context } = await openBrowserContext(browser, look)
  await requestCaptcha(page)
  await slider(page).waitFor()
  await popup(page)
    .locator('img')
    .first()
    .evaluate((image) => (image as { decode(): Promise<void> }).decode())
  await page.screenshot({ path: `e2e/.shots/captcha-slide-${look.width}-${look.lang}-${look.theme}.png` })
  expect(await runAxe(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  if (look.width === 1440) expect((await popup(page).boundingBox())!.width).toBeLessThanOrEqual(360)
  await dragTo(page, await decryptHole())
  await waitForPassed(page).waitFor()
  await popup(page).waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
  await context.close()
})

test('the puzzle by keyboard alone; focus comes back to the button', async () => {
  const { page, context } = await openBrowserContext(browser, LOOK)
  await requestCaptcha(page)
  await slider(page).waitFor()
  await waitForFocus(page)
  await moveByKeys(page, await decryptHole())
  await page.screenshot({ path: 'e2e/.shots/captcha-keys.png' })
  await page.keyboard.press('Enter')
  await waitForPassed(page).waitFor()
  await popup(page).waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('人机验证')
  await context.close()
})

test('without dragging: the other way needs one press', async () => {
  const { page, context } = await openBrowserContext(browser, LOOK)
  await requestCaptcha(page)
  await slider(page).waitFor()
  await waitForFocus(page)
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(r['captcha.direct'])
  await page.keyboard.press('Enter')
  await waitForPassed(page).waitFor()
  await context.close()
})

test('a misplaced piece goes back and says how many tries are left; after the last one there is a new picture', async () => {
  const { page, context } = await openBrowserContext(browser, LOOK)
  await requestCaptcha(page)
  await slider(page).waitFor()
  const picture = () => popup(page).locator('img').first().getAttribute('src')
  const before = await picture()
  for (const left of [2, 1]) {
    await dragTo(page, 8)
    await popup(page)
      .getByText(r['captcha.wrong'].replace('{left}', String(left)))
      .waitFor()
    expect(await slider(page).getAttribute('aria-valuenow')).toBe('0')
  }
  await page.screenshot({ path: 'e2e/.shots/captcha-wrong.png' })
  expect(await runAxe(page)).toEqual([])
  await dragTo(page, 8)
  await popup(page).getByText(r['captcha.wrongNew']).waitFor()
  expect(await picture()).not.toBe(before)
  await dragTo(page, await decryptHole())
  await waitForPassed(page).waitFor()
  await context.close()
})

test('Esc gives up: the call is not made, the page scrolls again, focus returns', async () => {
  const { page, context } = await openBrowserContext(browser, LOOK)
  await requestCaptcha(page)
  await slider(page).waitFor()
  await waitForFocus(page)
  await page.keyboard.press('Escape')
  await popup(page).waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('人机验证')
  expect(await waitForPassed(page).count()).toBe(0)
  await context.close()
})

test.each(RUN_LOOKS)('a challenge that does not load: retry, another way, support: $width $lang $theme', async (look) => {
  const { page, context } = await openBrowserContext(browser, look)
  await page.route('**/common/captcha/challenge*', (route) => route.abort())
  await requestCaptcha(page)
  const words = riskTexts[look.lang]
  await popup(page).getByText(words['captcha.failed'], { exact: true }).waitFor()
  await page.screenshot({ path: `e2e/.shots/captcha-failed-${look.width}-${look.lang}-${look.theme}.png` })
  expect(await runAxe(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  expect(await popup(page).getByRole('link', { name: words['captcha.contact'] }).getAttribute('href')).toMatch(/^mailto:/)
  await page.unrouteAll()
  await popup(page).getByRole('button', { name: words['captcha.retry'], exact: true }).click()
  await slider(page).waitFor()
  await context.close()
})

test('a browser without the cryptography of https gets the puzzle', async () => {
  await changeCaptchaKind('altcha')
  const { page, context } = await openBrowserContext(browser, LOOK)
  await page.addInitScript(`Object.defineProperty(crypto, 'subtle', { value: undefined })`)
  await requestCaptcha(page)
  await slider(page).waitFor()
  await dragTo(page, await decryptHole())
  await waitForPassed(page).waitFor()
  await context.close()
})

test('a proof that the server refuses is asked for again: in silence at first, then in the open, and the call goes through', async () => {
  await changeCaptchaKind('altcha')
  const { page, context } = await openBrowserContext(browser, LOOK)
  let calls = 0
  await page.route('**/user/passwordLogin', async (route) => {
    const refused = ++calls <= 3
    const body = refused ? { code: 2500, msg: 'x', data: null } : { code: 1010, msg: '邮箱或密码不正确', data: null }
    await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(body) })
  })
  await page.goto(`${server.baseUrl}/login`)
  await signInByPassword(page.locator('main'))
  await slider(page).waitFor()
  expect(calls).toBe(2)
  await popup(page).getByText(r['captcha.retryTips']).waitFor()
  await dragTo(page, await decryptHole())
  await expect.poll(() => calls).toBe(3)
  // After another refusal the captcha stays open with a new picture.
  await popup(page).getByText(r['captcha.retryTips']).waitFor()
  await dragTo(page, await decryptHole())
  await popup(page).waitFor({ state: 'hidden' })
  expect(calls).toBe(4)
  await page
    .getByRole('alert')
    .filter({ hasText: /不正确/ })
    .waitFor()
  await context.close()
})

test('a server that refuses every proof is asked five times, then the form says so and can be sent again', async () => {
  await changeCaptchaKind('altcha')
  const { page, context } = await openBrowserContext(browser, LOOK)
  let calls = 0
  await page.route('**/user/passwordLogin', async (route) => {
    calls++
    await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ code: 2500, msg: 'x', data: null }) })
  })
  await page.goto(`${server.baseUrl}/login`)
  await signInByPassword(page.locator('main'))
  for (let shown = 3; shown <= 5; shown++) {
    await slider(page).waitFor()
    await popup(page).getByText(r['captcha.retryTips']).waitFor()
    await dragTo(page, await decryptHole())
    await expect.poll(() => calls).toBe(shown)
  }
  await popup(page).waitFor({ state: 'hidden' })
  await page.getByRole('alert').filter({ hasText: webTexts.zh['captchaGaveUp']! }).waitFor()
  expect(calls).toBe(5)
  expect(await page.locator('main button[type="submit"]').isEnabled()).toBe(true)
  await context.close()
})

test('above the sign-in dialog: a press in the captcha leaves it open, Esc closes the captcha alone', async () => {
  const { page, context } = await openBrowserContext(browser, LOOK)
  await page.goto(server.baseUrl)
  await page.getByRole('banner').getByRole('button', { name: '登录', exact: true }).click()
  const auth = page.getByRole('dialog', { name: '登录' })
  await signInByPassword(auth)
  await slider(page).waitFor()
  await page.screenshot({ path: 'e2e/.shots/captcha-above.png' })
  expect(await runAxe(page)).toEqual([])
  await popup(page).locator('img').first().click()
  await page.keyboard.press('Escape')
  await popup(page).waitFor({ state: 'hidden' })
  expect(await auth.isVisible()).toBe(true)
  expect(await auth.locator('input[type="email"]').inputValue()).toBe('somebody@example.com')
  // After the captcha was closed the form can be submitted again, and a wrong password is reported as usual.
  await auth.locator('button[type="submit"]').click()
  await slider(page).waitFor()
  await dragTo(page, await decryptHole())
  await auth
    .getByRole('alert')
    .filter({ hasText: /不正确/ })
    .waitFor()
  await popup(page).waitFor({ state: 'hidden' })
  await context.close()
})

/** Mocks the vendor's script: draws one button, and delivers its parameter two seconds after loading at the earliest. */
const VENDOR = `
const loadedAt = Date.now()
window.initAliyunCaptcha = (options) => {
  const bad = document.querySelector(options.element) === null || document.querySelector(options.button) === null || Date.now() - loadedAt < 2000
  const button = document.createElement('button')
  button.textContent = bad ? 'vendor: misused' : 'vendor: ' + options.SceneId + ' ' + window.AliyunCaptchaConfig.prefix + ' ' + options.language
  button.onclick = () => { button.remove(); options.success(window.vendorGives ?? 'param-1') }
  options.getInstance({ show: () => document.body.append(button) })
}`

test('the behaviour check: its script comes when a form needs it, an empty answer falls to the puzzle, an outage to the other ways', async () => {
  await server.restart({
    ALIYUN_CAPTCHA_SCENE_ID: 'scene-1',
    ALIYUN_CAPTCHA_PREFIX: 'pre1',
    ALIYUN_CAPTCHA_ACCESS_KEY_ID: 'id',
    ALIYUN_CAPTCHA_ACCESS_KEY_SECRET: 'secret',
  })
  await changeCaptchaKind('aliyun')
  const { page, problems, context } = await openBrowserContext(browser, LOOK)
  let loads = 0
  let reach = true
  await page.route('https://o.alicdn.com/**', (route) => {
    loads++
    return reach ? route.fulfill({ contentType: 'text/javascript', body: VENDOR }) : route.abort()
  })
  await page.goto(server.baseUrl)
  await waitForQuietNetwork(page)
  expect(loads).toBe(0)
  await requestCaptcha(page)
  await page.getByRole('button', { name: 'vendor: scene-1 pre1 cn' }).click()
  await waitForPassed(page).waitFor()
  expect(loads).toBe(1)
  expect(problems).toEqual([])

  await page.evaluate(`window.vendorGives = ''`)
  await page.getByRole('button', { name: '人机验证' }).click()
  await page.getByRole('button', { name: /^vendor:/ }).click()
  await popup(page).getByText(r['captcha.retryTips']).waitFor()
  await dragTo(page, await decryptHole())
  await popup(page).waitFor({ state: 'hidden' })

  reach = false
  await requestCaptcha(page)
  await popup(page).getByText(r['captcha.failed'], { exact: true }).waitFor()
  await popup(page).getByRole('button', { name: r['captcha.otherWay'] }).click()
  await slider(page).waitFor()
  await context.close()
})
