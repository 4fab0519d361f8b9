import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layerTexts } from '#apps/web/layer-texts.ts'
import { connect } from '#platform/server/database/db.ts'
import { runAxe, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { accountTexts } from '#features/account/texts.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { formatOrderTitle } from '#features/payments/texts-titles.ts'
import { webTexts } from '#platform/web/texts.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// Layers above the pages: the exit from in-app browsers, frames, old browsers, new versions, maintenance, flags, network, palette, keys,
// complaint, notices, developer panel. Each is triggered as in real use.
let server: TestServer
let token: string
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer()
  token = (await registerByHttp(server)).token
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })
  const db = connect(server.databaseUrl, { max: 2 })
  await aFundedUser(db, { userId: data.id })
  await db.close()
})
afterAll(() => server.stop())

const WIDE: PageLook = { width: 1440, lang: 'zh', theme: 'light' }
const DARK: PageLook = { width: 1440, lang: 'en', theme: 'dark' }
const PHONE: PageLook = { width: 414, lang: 'zh', theme: 'light' }
const t = layerTexts.zh
const screenshot = (page: Page, name: string) => page.screenshot({ path: `e2e/.shots/shell-${name}.png` })
const checkLayer = async (page: Page, name: string) => {
  await screenshot(page, name)
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}

const serveFlags = (reply: object) => (page: Page) => page.route('**/features.yaml', (route) => route.fulfill(reply))
async function openShell(path: string, look: PageLook, { user = false, before }: { user?: boolean; before?: (page: Page) => Promise<unknown> } = {}) {
  const opened = await openBrowserContext(browser, look)
  if (user) await seedSession(opened.context, token)
  await before?.(opened.page)
  await opened.page.goto(server.baseUrl + path)
  await waitForQuietNetwork(opened.page)
  await opened.page.locator('#bars').waitFor({ state: 'attached' })
  return opened
}

/** Mocks a path with an envelope. */
const answer = (page: Page, path: string, data: object) => page.route(`**${path}`, (route) => route.fulfill({ json: { code: 200, msg: 'OK', data } }))

test.each([
  ['wechat', 'MicroMessenger/8.0.50', t.app_wechat],
  ['qq', 'QQ/9.0.60', t.app_qq],
  ['weibo', 'Weibo (iPhone)', t.app_weibo],
  ['dingtalk', 'DingTalk/7.5', t.app_dingtalk],
] as const)('inside %s paying leads out: steps, a link without secrets, focus inside, Esc back', async (name, mark, says) => {
  const context = await browser.newContext({
    viewport: { width: 414, height: 896 },
    isMobile: true,
    hasTouch: true,
    userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 ${mark}`,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  await seedSession(context, token)
  const page = await context.newPage()
  await page.goto(`${server.baseUrl}/api?tab=rechargeRecord&accessToken=secret`)
  await waitForQuietNetwork(page)
  await page.goto(`${server.baseUrl}/api?tab=view&accessToken=secret`)
  await waitForQuietNetwork(page)
  await page.getByRole('button', { name: gatewayTexts.zh['recharge'], exact: true }).first().click()
  await page.getByRole('button', { name: /¥[\d,.]+/ }).click()
  const layer = page.getByRole('dialog', { name: t.outsideTitle })
  await layer.waitFor()
  expect(await layer.innerText()).toContain(says)
  await checkLayer(page, `outside-${name}`)
  for (let press = 0; press < 6; press++) await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement === document.body || document.activeElement.closest("dialog") !== null')).toBe(true)
  await layer.getByRole('button', { name: t.outsideCopy }).click()
  const link = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(link.startsWith(`${server.baseUrl}/api`)).toBe(true)
  expect(link).not.toContain('secret')
  await page.keyboard.press('Escape')
  await layer.waitFor({ state: 'detached' })
  expect(page.url()).not.toContain('/sandbox/pay')
  await context.close()
})

test('inside a foreign frame only the way to the top level is offered', async () => {
  const { page, context } = await openBrowserContext(browser, PHONE)
  const bare = async (url: string) => {
    await page.route(url, async (route) => {
      const reply = await route.fetch()
      const headers = { ...reply.headers() }
      delete headers['x-frame-options']
      delete headers['content-security-policy']
      await route.fulfill({ response: reply, headers })
    })
  }
  await bare(`${server.baseUrl}/terms`)
  await page.route('http://elsewhere.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<title>x</title><iframe title="in" width="400" height="700" src="${server.baseUrl}/terms"></iframe>` }),
  )
  await page.goto('http://elsewhere.test/')
  const way = page.frameLocator('iframe').getByRole('link', { name: t.frameOpen.replace('{host}', new URL(server.baseUrl).host) })
  await way.waitFor()
  expect(await way.getAttribute('target')).toBe('_blank')
  await screenshot(page, 'frame')
  await context.close()
})

test('an old browser gets a warning bar, which can be closed', async () => {
  const { page, context } = await openShell('/', WIDE, { before: (page) => page.addInitScript('delete window.CSSLayerBlockRule') })
  const bar = page.locator('#old-browser')
  await bar.waitFor()
  await screenshot(page, 'old-browser')
  await bar.getByRole('button').click()
  await bar.waitFor({ state: 'detached' })
  await context.close()
})

test('a new version reloads the page after two hours in view, and asks while something is half filled in', async () => {
  const { page, context } = await openBrowserContext(browser, WIDE)
  await page.clock.install()
  await page.goto(`${server.baseUrl}/login`)
  await waitForQuietNetwork(page)
  await page.route('**/version.json?**', (route) => route.fulfill({ json: { version: 'next' } }))
  await page.locator('main input').first().fill('13800138000')
  await page.evaluate('globalThis.mark = 1')
  await page.clock.fastForward(7_200_000)
  await page.getByText(t.newVersion).waitFor()
  expect(await page.locator('main input').first().inputValue()).toContain('138')
  await checkLayer(page, 'new-version')
  await page.locator('main input').first().fill('')
  await page.getByRole('button', { name: t.later }).click()
  const reloaded = page.waitForEvent('load')
  await page.clock.fastForward(7_200_000)
  await reloaded
  expect(await page.evaluate('globalThis.mark')).toBeUndefined()
  await context.close()
})

test('code that is gone after a deployment: one reload, then a message, never a loop', async () => {
  const { page, context } = await openShell('/api', WIDE, { user: true })
  let loads = 0
  page.on('load', () => loads++)
  await page.route(/assets\/palette-host-.*\.js/, (route) => route.abort())
  await page.keyboard.press('Control+k')
  await expect.poll(() => loads).toBe(1)
  await waitForQuietNetwork(page)
  await page.locator('#bars').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await page.getByText(t.hostFailed).first().waitFor()
  expect(loads).toBe(1)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await context.close()
})

test('a page that cannot be loaded offers home and refresh', async () => {
  const { page, context } = await openShell('/terms', WIDE)
  await page.evaluate('sessionStorage.setItem("mx.chunk", String(Date.now()))')
  await page.route(/assets\/api-route-.*\.js/, (route) => route.abort())
  await page.locator('header').getByRole('button', { name: t.navServices }).click()
  await page
    .locator('header')
    .getByRole('link', { name: new RegExp(t.pricesNote) })
    .click()
  await page.getByText(t.errorTitle).waitFor()
  await checkLayer(page, 'error')
  await page.unrouteAll()
  await page.getByRole('button', { name: t.refresh }).click()
  await page.getByRole('heading', { level: 1, name: gatewayTexts.zh['tab_pricing'] }).waitFor()
  await context.close()
})

test('maintenance: a strip on every page, what it closes, and until when', async () => {
  const now = {
    isMaintain: true,
    rechargePause: null,
    startTime: '2026-11-21T02:00:00.000Z',
    endTime: '2026-11-21T04:30:00.000Z',
    message: '支付渠道升级',
    closed: ['recharge', 'withdraw'],
  }
  for (const look of [WIDE, PHONE]) {
    const { page, context } = await openShell('/privacy', look, { before: (page) => answer(page, '/common/maintain', now) })
    await page.getByText(t.maintainUntil.replace('{end}', '2026-11-21 12:30')).waitFor()
    await page.getByRole('button', { name: t.maintainMore }).click()
    await page.getByText(`${t.closed_recharge} · ${t.closed_withdraw}`).waitFor()
    await checkLayer(page, `maintenance-${look.width}`)
    await page.getByRole('button', { name: t.gotIt }).click()
    await context.close()
  }
})

test('an action that the operator switched off opens a warning instead; without the file everything is on', async () => {
  const w = webTexts.zh
  const off = 'features:\n  recharge: false\n  createKey: false # closed\n'
  const { page, context } = await openShell('/api', WIDE, { user: true, before: serveFlags({ body: off, contentType: 'application/yaml' }) })
  for (const name of [gatewayTexts.zh['recharge'], gatewayTexts.zh['createKey']]) {
    await page.getByRole('button', { name, exact: true }).first().click()
    await page.getByRole('dialog', { name: w['featureOff'] }).waitFor()
    await checkLayer(page, 'feature-off')
    await page.getByRole('button', { name: w['gotIt'] }).click()
    await page.getByRole('dialog', { name: w['featureOff'] }).waitFor({ state: 'detached' })
  }
  await context.close()
  const other = await openShell('/api', WIDE, { user: true, before: serveFlags({ status: 500, body: '' }) })
  await other.page.getByRole('button', { name: gatewayTexts.zh['recharge'], exact: true }).first().click()
  await other.page.getByRole('dialog', { name: formatOrderTitle(10, 'zh'), exact: true }).waitFor()
  await other.context.close()
})

test('without a network a bar says so, and goes when it is back', async () => {
  const { page, context } = await openShell('/api', PHONE, { user: true })
  await context.setOffline(true)
  await page.getByText(t.offline).waitFor()
  await checkLayer(page, 'offline')
  await context.setOffline(false)
  await page.getByText(t.offline).waitFor({ state: 'detached' })
  await context.close()
})

test('the palette by keyboard alone: pinyin, a model, an order, the theme; what was used stands first', async () => {
  const { page, context } = await openShell('/api', WIDE, { user: true })
  const field = page.getByRole('combobox', { name: t.palettePlaceholder })
  const type = async (text: string) => {
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type(text)
  }
  await type('czjl')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/api?tab=rechargeRecord')
  await type('claude sonnet')
  await page
    .getByRole('option', { name: /claude-sonnet/ })
    .first()
    .waitFor()
  await checkLayer(page, 'palette')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/pricing?model=claude-sonnet**')
  await type('20261120-8F31A0B2C4D6')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/orders/20261120-8F31A0B2C4D6')
  await type('anse')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.keyboard.press('Control+k')
  expect(await page.getByRole('option').first().innerText()).toContain(t.toDark)
  await page.keyboard.press('ArrowUp')
  expect(await page.getByRole('option').last().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.type('no such thing')
  await page.getByText(t.paletteNothing.replace('{typed}', 'no such thing')).waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await type('cjmy')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel(gatewayTexts.zh['keyNameLabel']).waitFor()
  await context.close()
})

test('a sheet whose code arrives late waits for the palette, and opens when that is closed', async () => {
  const { page, context } = await openBrowserContext(browser, WIDE)
  let arrive = () => {}
  const held = new Promise<void>((done) => {
    arrive = done
  })
  await page.route(/assets\/model-sheet-.*\.js/, async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/model-sheet-/)
  await page.goto(`${server.baseUrl}/pricing?model=claude-sonnet-5`)
  await asked
  await page.locator('#bars').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: t.palettePlaceholder })
  await field.waitFor()
  const arrived = page.waitForResponse(/model-sheet-/)
  arrive()
  await arrived
  await waitForQuietNetwork(page)
  await page.keyboard.type('no such thing')
  expect(await field.inputValue()).toBe('no such thing')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Claude Sonnet 5', exact: true }).waitFor()
  await context.close()
})

test('single keys: G then a letter, ?, /, N; off when switched off, silent while typing', async () => {
  const { page, context } = await openShell('/api', DARK, { user: true })
  const en = layerTexts.en
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await page.waitForURL('**/api?tab=billingDetails')
  await page.keyboard.press('n')
  const name = page.getByRole('dialog').getByLabel(gatewayTexts.en['keyNameLabel'])
  await name.waitFor()
  await name.fill('')
  await page.keyboard.type('gp?')
  expect(await name.inputValue()).toBe('gp?')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: en.shortcuts })
  await sheet.waitFor()
  await checkLayer(page, 'shortcuts')
  await sheet.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  const before = page.url()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await page.keyboard.press('?')
  expect(page.url()).toBe(before)
  expect(await sheet.count()).toBe(0)
  await context.close()
})

test('complaint: sign in first; then support or a report, checked, sent once and kept', async () => {
  const visitor = await openShell('/', WIDE)
  await visitor.page.locator('footer').getByRole('button', { name: t.complaint }).click()
  await visitor.page.getByRole('dialog', { name: accountTexts.zh['auth_title_login'] }).waitFor()
  await visitor.context.close()
  const { page, context } = await openShell('/', WIDE, { user: true })
  await page.locator('footer').getByRole('button', { name: t.complaint }).click()
  const dialog = page.getByRole('dialog', { name: t.complaintTitle })
  await dialog.getByRole('button', { name: t.complaintContact }).waitFor()
  await checkLayer(page, 'complaint-ask')
  await dialog.getByRole('button', { name: t.complaintReport }).click()
  const send = dialog.getByRole('button', { name: t.complaintSend })
  await dialog.getByLabel(t.complaintEmail).fill('not an address')
  await send.click()
  await dialog.getByText(t.v_complaintEmail).waitFor()
  await checkLayer(page, 'complaint-errors')
  await dialog.getByLabel(t.complaintContent).fill('<img src=x onerror=alert(1)> 充值未到账 مرحبا 👩‍🚀')
  await dialog.getByLabel(t.complaintEmail).fill('li@example.com')
  await dialog.getByLabel(t.complaintOrder).fill('20261120-8F31A0B2C4D6')
  await send.dblclick()
  await page.getByText(t.complaintSent.replace('{email}', 'li@example.com')).waitFor()
  const db = connect(server.databaseUrl, { max: 1 })
  expect(await db.query('select 1 from support_complaints where order_no = $1', ['20261120-8F31A0B2C4D6'])).toHaveLength(1)
  await db.close()
  await context.close()
})

test('new models are announced once, to users who joined before them', async () => {
  const info = (await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })).data
  const prices = (await callPlatform(server, 'GET', { path: '/user/model_price' })).data
  const today = new Date().toISOString().slice(0, 10)
  const rows = prices.rowList.map((row: object, at: number) => ({ ...row, releasedOn: at === 0 ? today : '2020-01-01' }))
  const { page, context } = await openShell('/api?tab=billingDetails', WIDE, {
    user: true,
    before: (page) =>
      Promise.all([
        answer(page, '/user/info', { ...info, createdAt: '2026-01-01T00:00:00.000Z' }),
        answer(page, '/user/model_price', { ...prices, rowList: rows }),
      ]),
  })
  const notice = page.getByRole('dialog', { name: t.newModelsTitle.replace('{n}', '1') })
  await notice.waitFor()
  await checkLayer(page, 'new-models')
  await notice.getByRole('button', { name: t.newModelsGo }).click()
  await page.waitForURL(`${server.baseUrl}/api`)
  await page.reload()
  await waitForQuietNetwork(page)
  expect(await notice.count()).toBe(0)
  await context.close()
})

test('the developer panel is hidden until asked for; five pixels tell a drag from a press; it tries all channels', async () => {
  const quiet = await openShell('/', WIDE)
  expect(await quiet.page.getByRole('button', { name: t.dev }).count()).toBe(0)
  await quiet.context.close()
  const { page, context } = await openShell('/api?dev=1', WIDE, { user: true })
  const button = page.getByRole('button', { name: t.dev })
  const from = (await button.boundingBox())!
  const drag = async (by: number, start = from.x + 20) => {
    await page.mouse.move(start, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(start + by, from.y + 20, { steps: 3 })
    await page.mouse.up()
  }
  await drag(60)
  expect(await button.getAttribute('aria-expanded')).toBe('false')
  await expect.poll(async () => Math.round((await button.boundingBox())!.x - from.x)).toBe(60)
  await drag(3, from.x + 80)
  await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true')
  await page.getByRole('button', { name: t.devChannels }).click()
  await expect.poll(() => page.getByRole('complementary', { name: t.dev }).getByRole('listitem').count()).toBeGreaterThan(3)
  await checkLayer(page, 'dev-panel')
  await context.close()
})
