import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runAxe, openBrowser } from '#platform/testing/browser.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { widgetTimes } from '#features/support/server/settings.ts'
import { supportPageTexts } from '#features/support/texts.ts'
import { SUPPORT_DESKTOP, locateSupportLauncher, openSupportStage, locateSupportPanel, SUPPORT_PHONE, signOutElsewhere, openSupportVisit } from './stage.ts'

// The vendors' scripts are mocked by a local server that behaves as documented, or fails.
const t = supportPageTexts.zh
const SECRET = 'identity secret of the workspace'
const HMAC = 'hmac token of the inbox'
const browser = await openBrowser()
let mode: 'good' | 'down' | 'bare' = 'good'
let asked: string[] = []
let vendor: Server
let server: TestServer
let stage: ReturnType<typeof openSupportStage>

/** Records the page's calls to the vendor. Kept in session storage, because signing out loads the next page 100 ms later. */
const SAID = `const said = (window.said ??= Object.assign([], {
    push(call) { this[this.length] = call; sessionStorage.setItem('said', JSON.stringify(this)) },
  }))`
const INTERCOM = `
  ${SAID}
  const speak = (...call) => {
    said.push(JSON.parse(JSON.stringify(call)))
    if (call[0] === 'boot' && !document.querySelector('.intercom-lightweight-app')) document.body.append(Object.assign(document.createElement('div'), { className: 'intercom-lightweight-app' }))
    if (call[0] === 'shutdown') document.querySelector('.intercom-lightweight-app')?.remove()
  }
  const waiting = window.Intercom?.q ?? []
  window.Intercom = speak
  for (const call of waiting) speak(...call)`
const CHATWOOT = `
  ${SAID}
  window.chatwootSDK = { run: (options) => {
    said.push(['run', options])
    const holder = document.createElement('div')
    holder.className = 'woot-widget-holder'
    const frame = document.createElement('iframe')
    frame.title = 'chat'
    frame.src = options.baseUrl + '/widget'
    holder.append(frame)
    document.body.append(holder)
    window.$chatwoot = { hasLoaded: true, toggle: (state) => said.push(['toggle', state]), setUser: (...user) => said.push(['setUser', ...user]), reset: () => said.push(['reset']) }
  } }`

beforeAll(async () => {
  vendor = createServer((request, reply) => {
    asked.push(request.url ?? '')
    if (mode === 'down') return void reply.writeHead(503).end()
    reply.writeHead(200, { 'content-type': request.url === '/widget' ? 'text/html' : 'text/javascript' })
    reply.end(
      request.url === '/widget' ? '<!doctype html><title>chat</title>' : mode === 'bare' ? '' : request.url?.startsWith('/intercom/') ? INTERCOM : CHATWOOT,
    )
  })
  await new Promise<void>((done) => vendor.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  server = await startTestServer({
    env: {
      PORT: String(await reserveFreePort()),
      INTERCOM_APP_ID: 'ws123456',
      INTERCOM_SECRET: SECRET,
      INTERCOM_SCRIPT_URL: `${base}/intercom/`,
      CHATWOOT_WEBSITE_TOKEN: 'inbox-token-1',
      CHATWOOT_HMAC_TOKEN: HMAC,
      CHATWOOT_BASE_URL: base,
    },
  })
  stage = openSupportStage(server)
})
beforeEach(() => {
  mode = 'good'
  asked = []
})
afterAll(async () => {
  await stage.close()
  await server.stop()
  vendor.closeAllConnections()
  await new Promise((done) => vendor.close(done))
})

/** Selects a provider as an operator does; a process picks it up within two seconds. */
async function chooseProvider(provider: string): Promise<void> {
  await stage.db.query(
    `insert into settings (key, value, updated_by) values ('support.widget', to_jsonb($1::text), 'test') on conflict (key) do update set value = excluded.value`,
    [provider],
  )
  await expect.poll(async () => ((await (await fetch(`${server.baseUrl}/common/support/widget`)).json()) as any).data.provider).toBe(provider)
}
/** Time that pages wait for the widget, as an operator sets it. */
async function setWidgetTimes(times: typeof widgetTimes.fallback): Promise<void> {
  await stage.db.query(
    `insert into settings (key, value, updated_by) values ('support.widgetTimes', $1::jsonb, 'test') on conflict (key) do update set value = excluded.value`,
    [JSON.stringify(times)],
  )
  await expect.poll(async () => ((await (await fetch(`${server.baseUrl}/common/support/widget`)).json()) as any).data.times).toEqual(times)
}
const readWidgetCalls = (page: Page) => page.evaluate<unknown[][] | undefined>(`JSON.parse(sessionStorage.getItem('said') ?? 'null') ?? undefined`)
const hash = (key: string, id: string) => createHmac('sha256', key).update(id).digest('hex')
const policy = async () => (await fetch(`${server.baseUrl}/`, { headers: { accept: 'text/html' } })).headers.get('content-security-policy') ?? ''

test('Intercom: nothing before a press, then the visitor’s messenger; a user is booted with their hash, and forgotten at sign-out', async () => {
  await chooseProvider('intercom')
  const guest = await openSupportVisit(browser, SUPPORT_PHONE)
  const strangers: string[] = []
  guest.page.on('request', (request) => {
    if (!request.url().startsWith(server.baseUrl) && !request.url().startsWith('data:')) strangers.push(request.url())
  })
  await guest.page.goto(`${server.baseUrl}/`)
  await locateSupportLauncher(guest.page).waitFor()
  await guest.page.waitForTimeout(1500)
  expect([strangers, asked]).toEqual([[], []])
  await locateSupportLauncher(guest.page).click()
  await expect.poll(async () => (await readWidgetCalls(guest.page))?.length).toBe(2)
  expect(await readWidgetCalls(guest.page)).toEqual([
    ['boot', { app_id: 'ws123456', language_override: 'zh', alignment: 'right', horizontal_padding: 20, vertical_padding: 160, z_index: 2147483000 }],
    ['show'],
  ])
  await locateSupportLauncher(guest.page).waitFor({ state: 'detached' })
  expect(guest.problems).toEqual([])
  await guest.context.close()

  const user = await stage.person()
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  await page.goto(`${server.baseUrl}/api`)
  await locateSupportLauncher(page).waitFor()
  expect(await readWidgetCalls(page)).toBeUndefined()
  await expect
    .poll(async () => {
      await page.keyboard.press('Shift')
      return (await readWidgetCalls(page))?.[0]
    })
    .toEqual([
      'boot',
      {
        app_id: 'ws123456',
        user_id: user.userId,
        email: user.email,
        user_hash: hash(SECRET, user.userId),
        language_override: 'zh',
        alignment: 'right',
        horizontal_padding: 20,
        vertical_padding: 100,
        z_index: 2147483000,
      },
    ])
  await signOutElsewhere(page)
  await expect.poll(async () => (await readWidgetCalls(page))?.at(-1)).toEqual(['shutdown'])
  expect(problems).toEqual([])
  await context.close()
})

test('Chatwoot: its SDK, its frame, the user with the identifier’s hash, reset at sign-out', async () => {
  await chooseProvider('chatwoot')
  const user = await stage.person()
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  await page.goto(`${server.baseUrl}/api`)
  await locateSupportLauncher(page).click()
  await expect.poll(async () => (await readWidgetCalls(page))?.map(([what]) => what)).toEqual(expect.arrayContaining(['run', 'setUser', 'toggle']))
  const calls = (await readWidgetCalls(page))!
  expect(calls[0]).toEqual(['run', { websiteToken: 'inbox-token-1', baseUrl: expect.stringContaining('http://127.0.0.1:') }])
  expect(calls.find(([what]) => what === 'setUser')).toEqual(['setUser', user.userId, { identifier_hash: hash(HMAC, user.userId), email: user.email }])
  expect(asked).toEqual(['/packs/js/sdk.js', '/widget'])
  await signOutElsewhere(page)
  await expect.poll(async () => (await readWidgetCalls(page))?.at(-1)).toEqual(['reset'])
  expect(problems).toEqual([])
  await context.close()
})

test('a script that does not come: a hint with other ways, to dismiss or to try again', async () => {
  await chooseProvider('intercom')
  mode = 'down'
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP)
  await page.goto(`${server.baseUrl}/`)
  await locateSupportLauncher(page).click()
  const hint = page.getByRole('alert').filter({ hasText: 'support@mingxi.example' })
  await hint.waitFor()
  await page.screenshot({ path: 'e2e/.shots/support-load-failed-1440.png' })
  expect(await runAxe(page)).toEqual([])
  expect(await page.getByRole('link', { name: t['mail_us'] }).getAttribute('href')).toBe('mailto:support@mingxi.example')
  await page.getByRole('button', { name: t['load_dismiss'] }).click()
  await hint.waitFor({ state: 'detached' })
  await locateSupportLauncher(page).click()
  await hint.waitFor()
  mode = 'good'
  await page.getByRole('button', { name: t['retry'] }).click()
  await expect.poll(async () => (await readWidgetCalls(page))?.at(-1)).toEqual(['show'])
  await hint.waitFor({ state: 'detached' })
  expect(problems.some((problem) => problem.includes('script failed'))).toBe(true)
  await context.close()
})

test('a script that does nothing: after the time of the setting the check times out, says so, and shows the hint', async () => {
  await chooseProvider('intercom')
  await setWidgetTimes({ ...widgetTimes.fallback, bootMs: 500, bootForMs: 3_000 })
  mode = 'bare'
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_PHONE)
  await page.goto(`${server.baseUrl}/`)
  const begun = Date.now()
  await locateSupportLauncher(page).click()
  await page.getByRole('alert').filter({ hasText: 'support@mingxi.example' }).waitFor()
  expect(Date.now() - begun).toBeGreaterThan(2_900)
  expect(problems).toEqual(['warning Intercom check timeout'])
  await setWidgetTimes(widgetTimes.fallback)
  await context.close()
})

test('a user without a signed identity is not booted', async () => {
  await chooseProvider('intercom')
  const user = await stage.person()
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  await page.route('**/common/support/widget', async (route) => {
    const reply = await route.fetch()
    const body = await reply.json()
    return route.fulfill({ response: reply, json: { ...body, data: { ...body.data, user: null } } })
  })
  await page.goto(`${server.baseUrl}/api`)
  await locateSupportLauncher(page).click()
  await page.getByRole('alert').filter({ hasText: 'support@mingxi.example' }).waitFor()
  expect(problems).toEqual(['warning Failed to get user hash'])
  expect([await readWidgetCalls(page), asked]).toEqual([undefined, []])
  await context.close()
})

test('the policy names the chosen vendor’s hosts only, and the document’s tag changes with it', async () => {
  await chooseProvider('intercom')
  expect(await policy()).toContain('https://widget.intercom.io')
  const tag = async () => (await fetch(`${server.baseUrl}/`, { headers: { accept: 'text/html' } })).headers.get('etag')
  const before = await tag()
  await chooseProvider('embedded')
  expect(await policy()).not.toMatch(/intercom|127\.0\.0\.1/)
  expect(await policy()).toMatch(/script-src 'self' 'sha256-[^' ]+';/)
  expect(await tag()).not.toBe(before)
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP)
  await page.goto(`${server.baseUrl}/`)
  await locateSupportLauncher(page).click()
  await locateSupportPanel(page).waitFor()
  expect(asked).toEqual([])
  expect(problems).toEqual([])
  await context.close()
})
