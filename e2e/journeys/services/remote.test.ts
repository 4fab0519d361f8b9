import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { createTestDatabase } from '#platform/testing/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import { remoteTexts } from '#features/remote/texts.ts'
import { explainMissingBrowser } from '#features/remote/server/testing/missing-browser.ts'
import { callPlatform } from '../../visitor.ts'
import { aBrowserPayer, fundPayer, createPageCheck, setPayerPin, takeScreenshot, typePayPin } from '../pay-visit.ts'
import type { BrowserPayer } from '../pay-visit.ts'

// A member pays for a remote browser, opens it, types Chinese into a page, presses a button there, and is disconnected when the time is up.
const asked: string[] = []
const SHOP = `<title>Shop</title><body style="margin:0;font:24px sans-serif"><form action=/done><input name=name autofocus style="position:absolute;left:10px;top:10px;width:400px;height:60px;font:24px sans-serif">
<button style="position:absolute;left:10px;top:100px;width:200px;height:60px">Send</button></form><a href=/file download style="position:absolute;left:10px;top:190px;width:200px;height:60px;background:#ddd">File</a>
<input type=file style="position:absolute;left:10px;top:280px;width:200px;height:60px" onchange="this.files[0].text().then(text => { location.href = '/up?' + encodeURIComponent(this.files[0].name + ' ' + text) })">`
const shop = createServer((request, reply) => {
  asked.push(decodeURIComponent((request.url ?? '').replaceAll('+', ' ')))
  if (request.url === '/file') return reply.writeHead(200, { 'content-disposition': 'attachment; filename=x.bin' }).end('bytes')
  reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(request.url?.startsWith('/done') ? '<title>Done</title>Done' : SHOP)
})
await new Promise<void>((done) => shop.listen(0, '127.0.0.1', () => done()))
const PORT = (shop.address() as AddressInfo).port
const whyNot = await explainMissingBrowser()
const { url: databaseUrl } = await createTestDatabase()
const db = connect(databaseUrl, { max: 2 })
// No uses are included with the card here, so each use is paid
await db.query(`insert into settings (key, value, updated_by) values ('remote.included', '{"standard":0,"pro":0}', 'test')`)
const [browser, server] = await Promise.all([openBrowser(), startTestServer({ databaseUrl, env: { PROXY_TEST_TARGETS: `shop.test=127.0.0.1:${PORT}` } })])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))
afterAll(async () => {
  await server.stop()
  await db.close()
  shop.closeAllConnections()
  shop.close()
})

const giveCard = (userId: string) =>
  db.query(
    `insert into cards_cards (id, user_id, type, state, issuer, issuer_state, months, next_check_at, activated, opened_at)
      values ($1, $2, 'standard', 'active', 'sandbox', 'active', 24, null, true, now())`,
    [`card_${createRandomCode(16).toLowerCase()}`, userId],
  )
const balance = async ({ token }: BrowserPayer) =>
  (await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: token } })).data.balance
const profiles = () =>
  readdirSync('/tmp')
    .filter((name) => name.startsWith(`mingxi-remote-${server.pid()}-`))
    .flatMap((name) => readdirSync(join('/tmp', name)))

async function payWithBalance(page: Page, amount: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('radio', { name: /余额|Balance/ })
    .first()
    .check({ force: true })
  await dialog.locator('button[type="submit"]').filter({ hasText: amount }).click()
  await typePayPin(page)
}

/** Presses a position of the remote page, with a touch on a phone. */
async function press(page: Page, { width }: PageLook, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
  const canvas = page.locator('canvas')
  const box = (await canvas.boundingBox())!
  const [w, h] = await canvas.evaluate((at) => [(at as unknown as { width: number }).width, (at as unknown as { height: number }).height])
  const at = [box.x + (x * box.width) / w!, box.y + (y * box.height) / h!] as const
  await (width === 414 ? page.touchscreen.tap(...at) : page.mouse.click(...at))
}

/** One page shows the picture: a second tab takes it over, the first says so and takes it back; a reload keeps it. */
async function checkTakeover({ context, page }: BrowserPayer, look: PageLook): Promise<void> {
  const t = remoteTexts[look.lang]
  const there = (on: Page) => on.getByRole('button', { name: 'Shop', exact: true }).waitFor()
  const tab = await context.newPage()
  await tab.goto(page.url())
  await there(tab)
  await page.getByText(t['screenOver_replaced'], { exact: true }).waitFor()
  await createPageCheck(page, look)('remote-elsewhere', 'passes')
  await page.getByRole('button', { name: t['screenHere'], exact: true }).click()
  await there(page)
  await tab.getByText(t['screenOver_replaced'], { exact: true }).waitFor()
  await tab.close()
  await page.reload()
  await there(page)
}

test.skipIf(whyNot).each(pickLook())(
  '$width $lang $theme: bought, opened, Chinese typed, a button pressed, files handed over both ways, and shown out in time',
  async (look) => {
    const t = remoteTexts[look.lang]
    asked.length = 0
    const payer = await aBrowserPayer(browser, server, look)
    const { page, problems } = payer
    const seen = createPageCheck(page, look)
    const mobile = look.width === 414
    await page.goto(`${server.baseUrl}/remote`)
    await page.getByText(t['remoteNeedsCardTitle'], { exact: true }).waitFor()
    await giveCard(payer.userId)
    await setPayerPin(server, payer)
    await fundPayer(server, payer, 10_000_000_000n)
    await page.reload()
    const begin = page.getByRole('button', { name: fill(t['remoteBegin'], { price: '$1.00' }), exact: true })
    await begin.waitFor()
    await seen('remote-offer')
    await begin.click()
    await payWithBalance(page, '$1.00')
    await page.getByText(t['remoteReady'], { exact: true }).waitFor()
    const open = page.getByRole('link', { name: t['remoteOpen'], exact: true })
    expect(await balance(payer)).toBe('10')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await seen('remote-ready')
    await open.click()

    // charged with the first picture, which also starts the timer
    await page.getByRole('timer').waitFor()
    await expect.poll(() => balance(payer)).toBe('9')
    const canvas = page.locator('canvas')
    await expect.poll(() => canvas.getAttribute('width')).not.toBe('1280')
    await page.getByRole('textbox', { name: t['screenAddress'], exact: true }).fill(`http://shop.test:${PORT}/`)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Shop', exact: true }).waitFor()
    await seen('remote-screen', 'passes')
    await checkTakeover(payer, look)
    await press(page, look, { x: 100, y: 40 })
    if (mobile) await page.getByRole('button', { name: t['screenType'], exact: true }).click()
    const bar = page.locator('#type-chinese')
    await bar.fill('深圳市南山区')
    await bar.press('Enter')
    await expect.poll(() => bar.inputValue()).toBe('')
    // keys go straight into the picture; Chinese text composed by an input method is sent as a whole
    if (mobile) await page.getByRole('button', { name: t['screenKeyboard'], exact: true }).click()
    else await press(page, look, { x: 380, y: 40 })
    await page.keyboard.type(' 5A')
    await page.keyboard.press('Backspace')
    await page.keyboard.insertText('粤海')
    await takeScreenshot(page, `remote-typed-${look.width}-${look.lang}-${look.theme}`)
    await press(page, look, { x: 100, y: 130 })
    await expect.poll(() => asked.find((path) => path.startsWith('/done'))).toBe('/done?name=深圳市南山区 5粤海')
    // the page is requested before it is displayed: going back earlier would leave the previous page
    await page.getByRole('button', { name: 'Done', exact: true }).waitFor()
    await page.getByRole('button', { name: t['screenBack'], exact: true }).click()
    await page.getByRole('button', { name: 'Shop', exact: true }).waitFor()
    // the tab has its title before the page accepts a press again
    const pressFor = (wanted: Locator, y: number) =>
      expect.poll(async () => ((await wanted.count()) || (await press(page, look, { x: 100, y })), wanted.count()), { interval: 1000 }).toBeGreaterThan(0)
    const save = page.getByRole('button', { name: t['screenSave'], exact: true }).first()
    await pressFor(save, 220)
    const [saved] = await Promise.all([page.waitForEvent('download'), save.click()])
    expect([saved.suggestedFilename(), await text(await saved.createReadStream())]).toEqual(['x.bin', 'bytes'])
    await page.getByText(t['screenSaved'], { exact: true }).first().waitFor()
    // the other direction: the page requests a file, and this machine uploads one
    const choose = page.getByRole('button', { name: t['screenChoose'], exact: true })
    await pressFor(choose, 310)
    await seen('remote-files', 'passes')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.click()])
    await chooser.setFiles({ name: '发票 08.txt', mimeType: 'text/plain', buffer: Buffer.from('mine') })
    await expect.poll(() => asked.includes('/up?发票 08.txt mine')).toBe(true)
    await choose.waitFor({ state: 'detached' })

    // the platform's own port is not a web port: the browser reports it, and the page stays the same
    await page.getByRole('textbox', { name: t['screenAddress'], exact: true }).fill(`${server.baseUrl}/healthz`)
    await page.keyboard.press('Enter')
    const refused = async () =>
      (await db.query<{ refused: bigint }>(`select refused from proxy_uses where purpose = 'remote' and user_id = $1`, [payer.userId]))[0]!.refused
    await expect.poll(async () => Number(await refused())).toBeGreaterThan(0)

    // the time is up
    expect(profiles()).toHaveLength(1)
    await db.query(`update services_tasks set expires_at = clock_timestamp() where user_id = $1 and state = 'using'`, [payer.userId])
    await page.getByText(t['screenOver_time_up'], { exact: true }).first().waitFor()
    await expect.poll(profiles).toEqual([])
    await expect
      .poll(async () => (await db.query(`select 1 from proxy_uses where purpose = 'remote' and user_id = $1 and ended_at is null`, [payer.userId])).length)
      .toBe(0)
    await page.getByText(t['screenUsed'], { exact: true }).waitFor()
    await seen('remote-over')
    await page.getByRole('link', { name: t['screenLeave'], exact: true }).last().click()
    await begin.waitFor()
    await seen('remote-records')
    expect(await balance(payer)).toBe('9')
    expect(
      (await callPlatform(server, 'POST', { path: '/reward/kasm/end', headers: { 'accesstoken': payer.token, 'idempotency-key': randomUUID() } })).code,
    ).toBe(3804)
    expect(problems).toEqual([])
    await payer.context.close()
  },
)
