import { mkdirSync } from 'node:fs'
import OpenAI from 'openai'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { runAxe, pickLook, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import { readCopiedText } from '#platform/testing/browsing/copied-text.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { aKey, generateUse } from '#features/gateway/server/builders.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// Keys, requests and the chart as a user sees them, over real calls.
const SHOTS = 'e2e/.shots'
const MODEL = 'gpt-6.1-sol'
let db: Db
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  db = connect(server.databaseUrl, { max: 4 })
})
afterAll(() => db.close())

const NAME = '生产环境，别动（老王的） production-key-with-a-long-name'

/** A user with a balance and a key, who has just signed in. */
async function aKeyOwner() {
  const { token } = await registerByHttp(server)
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })
  await aFundedUser(db, { userId: data.id, purchased: 100_000_000_000n })
  return { token, userId: data.id as string, ...(await aKey(db, data.id, { name: NAME, limits: { models: ['openai/*'] } })) }
}
async function openKeysPage(token: string, look: PageLook, search: string) {
  const opened = await openBrowserContext(browser, look)
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await seedSession(opened.context, token)
  await opened.page.goto(`${server.baseUrl}/api?${search}`)
  return opened
}
async function checkPage(page: Page, look: PageLook, name: string) {
  await waitForQuietNetwork(page)
  await page.screenshot({ path: `${SHOTS}/${name}-${look.width}-${look.lang}-${look.theme}.png` })
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}
/** Makes a small call; returns its status. */
async function sendSmallCall(apiKey: string, model = MODEL): Promise<number> {
  const openai = new OpenAI({ apiKey, baseURL: `${server.baseUrl}/v1`, maxRetries: 0 })
  return openai.chat.completions.create({ model, messages: [{ role: 'user', content: '你好' }] }).then(
    () => 200,
    (error: { status: number }) => error.status,
  )
}
const locateCalls = (page: Page, name: string) => page.locator('[data-call]').filter({ visible: true, ...(name ? { hasText: name } : {}) })

test.each(pickLook())('a key: test call, rotation with both secrets at work, disabled; nothing copies its id as a key: $width $lang $theme', async (look) => {
  const g = gatewayTexts[look.lang]
  const { token, secret, key } = await aKeyOwner()
  const { page, context, problems } = await openKeysPage(token, look, 'tab=keys')
  await page.getByText(NAME).first().waitFor()
  await checkPage(page, look, 'keys')
  // a masked key has no copy button; the id is copied from a separate menu item
  const more = page.getByRole('button', { name: g['keyMore'].replace('{name}', NAME) })
  await more.click()
  await page.getByRole('menuitem', { name: g['copyKeyId'], exact: true }).click()
  await expect.poll(() => readCopiedText(page)).toBe(key.keyId)
  expect(await page.getByRole('button', { name: g['copySecret'] }).count()).toBe(0)

  await more.click()
  await page.getByRole('menuitem', { name: g['testTitle'], exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(new RegExp(g['testPrice'].replace('{amount}', '\\$0\\.'))).waitFor()
  await dialog.getByLabel(g['colModelName'], { exact: true }).selectOption(MODEL)
  await dialog.getByRole('button', { name: g['testSend'], exact: true }).click()
  await dialog.getByRole('link', { name: g['testReceipt'], exact: true }).waitFor()
  await checkPage(page, look, 'key-test')
  const [row] = await db.query<{ keyId: string; amount: bigint; outputTokens: bigint }>(
    'select key_id, amount, output_tokens from gateway_usage where user_id = $1',
    [key.userId],
  )
  expect(row!.keyId).toBe(key.keyId)
  expect(row!.amount).toBeGreaterThan(0n)
  await dialog.getByRole('link', { name: g['testReceipt'], exact: true }).click()
  await page.getByRole('group', { name: g['callTitle'], exact: true }).waitFor()

  // a press before the menu's code has loaded is not lost
  const code = Promise.withResolvers<void>()
  await page.route('**/assets/menu-*.js', (route) => code.promise.then(() => route.continue()))
  await page.goto(`${server.baseUrl}/api?tab=keys`)
  await more.click()
  expect(await page.getByRole('menu').count()).toBe(0)
  code.resolve()
  await page.getByRole('menuitem', { name: g['testTitle'], exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `${g['rotate']} ${NAME}`, exact: true }).click()
  await dialog.getByRole('button', { name: g['rotate'], exact: true }).click()
  const fresh = await dialog.getByLabel(g['keySecretLabel']).innerText()
  await dialog.getByRole('button', { name: g['copySecret'] }).click()
  expect(await readCopiedText(page)).toBe(fresh)
  await dialog.getByRole('button', { name: g['keySaved'], exact: true }).click()
  expect(await page.content()).not.toContain(fresh)
  expect([await sendSmallCall(secret), await sendSmallCall(fresh)]).toEqual([200, 200])
  const end = page.getByRole('button', { name: g['endOld'], exact: true })
  await page.getByText(new RegExp(g['rotationUsed'].split('{count')[0]!)).waitFor()
  await checkPage(page, look, 'keys-rotating')
  await end.click()
  await page.getByRole('alertdialog').getByRole('button', { name: g['endOld'], exact: true }).click()
  await end.waitFor({ state: 'detached' })
  await expect.poll(() => sendSmallCall(secret)).toBe(401)
  expect(await sendSmallCall(fresh)).toBe(200)

  await more.click()
  await page.getByRole('menuitem', { name: g['disable'], exact: true }).click()
  await page.getByText(g['keyState_disabled'], { exact: true }).waitFor()
  await expect.poll(() => sendSmallCall(fresh)).toBe(401)
  await page.getByRole('button', { name: `${g['enable']} ${NAME}`, exact: true }).click()
  await page.getByText(g['keyState_active'], { exact: true }).waitFor()
  await expect.poll(() => sendSmallCall(fresh)).toBe(200)
  expect(problems).toEqual([])
  await context.close()
})

test.each(pickLook())('requests: a refusal with its reason, back to the list, J and K, what is new waits: $width $lang $theme', async (look) => {
  const g = gatewayTexts[look.lang]
  const { token, secret, key } = await aKeyOwner()
  expect([
    await sendSmallCall(secret),
    await sendSmallCall(secret),
    await sendSmallCall(secret, 'claude-opus-5-5'),
    await sendSmallCall(secret, 'no-such-model'),
  ]).toEqual([200, 200, 403, 404])
  await expect.poll(async () => (await db.query('select 1 from gateway_refused where account_id = $1', [key.accountId])).length).toBe(2)
  const { page, context, problems } = await openKeysPage(token, look, 'tab=requests')
  await expect.poll(() => locateCalls(page, '').count()).toBe(4)
  await checkPage(page, look, 'requests')
  // the counts of the chips add up and match their lists
  const chips = page.getByRole('group', { name: g['callStatus'], exact: true }).getByRole('button')
  await expect.poll(() => chips.first().innerText()).toMatch(/4$/)
  const counts = (await chips.allInnerTexts()).map((text) => Number(/(\d+)$/.exec(text)![1]))
  expect(counts.slice(1).reduce((sum, one) => sum + one, 0)).toBe(counts[0])
  await chips.filter({ hasText: g['state_refused'] }).click()
  await expect.poll(() => locateCalls(page, '').count()).toBe(2)
  const refused = page.getByRole(look.width === 414 ? 'listitem' : 'row').filter({ hasText: g['cause_model'] })
  await refused.locator('[data-call]').click()
  await page.getByText('model_not_allowed').waitFor()
  await page.getByText(g['doModel']).waitFor()
  await checkPage(page, look, 'requests-refused')
  expect(new URL(page.url()).searchParams.get('call')).toMatch(/^ref_[0-9a-f]{24}$/)
  // back closes the detail and the list is unchanged, also after a reload
  await page.reload()
  await page.getByText('model_not_allowed').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('model_not_allowed').waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('state')).toBe('refused')
  await expect.poll(() => page.evaluate('document.activeElement.dataset.call')).toMatch(/^ref_/)
  await refused.locator('[data-call]').click()
  await page.getByText('model_not_allowed').waitFor()
  await page.goBack()
  await page.getByText('model_not_allowed').waitFor({ state: 'detached' })
  await expect.poll(() => locateCalls(page, '').count()).toBe(2)

  await chips.first().click()
  await expect.poll(() => locateCalls(page, '').count()).toBe(4)
  const at = async () => new URL(page.url()).searchParams.get('call')
  const ids = await locateCalls(page, '').evaluateAll((rows) => rows.map((row) => (row as unknown as { dataset: { call: string } }).dataset.call))
  await page.keyboard.press('j')
  await expect.poll(at).toBe(ids[0])
  await page.keyboard.press('j')
  await expect.poll(at).toBe(ids[1])
  await page.keyboard.press('k')
  await expect.poll(at).toBe(ids[0])
  await page.keyboard.press('c')
  await expect.poll(() => readCopiedText(page)).toBe(ids[0]!.replace(/^(call|ref)_/, 'req_'))
  await page.goBack()
  await expect.poll(at).toBeNull()

  expect(await sendSmallCall(secret)).toBe(200)
  const news = page.getByRole('button', { name: g['news'].replace('{count}', '1'), exact: true })
  await news.waitFor()
  expect(await locateCalls(page, '').count()).toBe(4)
  await news.click()
  await expect.poll(() => locateCalls(page, '').count()).toBe(5)
  await page.getByRole('searchbox').fill(ids[0]!)
  await expect.poll(() => locateCalls(page, '').count()).toBe(1)
  expect(problems).toEqual([])
  await context.close()
})

test('the chart is moved through by arrow keys, and Enter opens a day’s requests', async () => {
  const g = gatewayTexts.zh
  const { token, key } = await aKeyOwner()
  await generateUse(db, createLog('silent'), { key, days: 9 })
  const { page, context, problems } = await openKeysPage(token, { width: 1440, lang: 'zh', theme: 'light' }, 'tab=billingDetails')
  const chart = page.getByRole('img', { name: g['chart_day'] })
  await chart.focus()
  for (const press of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(press)
  const card = page.getByRole('status').filter({ hasText: g['pickDay'] })
  const day = /\d\d-\d\d(?!-)/.exec(await card.innerText())![0]
  // the table's total equals the chart's
  const total = page.getByRole('switch').locator('xpath=ancestor::ul/following-sibling::p').getByText('$')
  const row = page.getByRole('table').locator('tfoot').getByText('$').last()
  expect(await row.innerText()).toBe(await total.innerText())
  await page.keyboard.press('Enter')
  await page.waitForURL('**/api?tab=requests**')
  const search = new URL(page.url()).searchParams
  expect([search.get('from')?.slice(5), search.get('to')?.slice(5)]).toEqual([day, day])
  await locateCalls(page, '').first().waitFor()
  const listed = await db.query('select 1 from gateway_usage where account_id = $1 and gateway_shanghai_day(started_at) = $2', [
    key.accountId,
    search.get('from'),
  ])
  await expect.poll(() => locateCalls(page, '').count()).toBe(listed.length)
  await page.goBack()
  await chart.waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('a link to the balance opens the balance, whatever tab was last; a bare visit opens the last tab', async () => {
  const { token } = await aKeyOwner()
  const { page, context } = await openKeysPage(token, { width: 1440, lang: 'zh', theme: 'light' }, 'tab=pricing')
  await page.getByRole('heading', { name: gatewayTexts.zh['tab_pricing'] }).waitFor()
  await page.goto(`${server.baseUrl}/orders`)
  await page.getByRole('banner').getByRole('link', { name: /\$/ }).click()
  await page.getByText(gatewayTexts.zh['balance'], { exact: true }).waitFor()
  await page.goto(`${server.baseUrl}/api?tab=pricing`)
  await page.getByRole('heading', { name: gatewayTexts.zh['tab_pricing'] }).waitFor()
  await page.goto(`${server.baseUrl}/api`)
  await page.waitForURL('**/api?tab=pricing')
  await context.close()
})
