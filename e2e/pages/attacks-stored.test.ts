import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { refundReason } from '#features/payments/contract-orders.ts'
import { messageText } from '#features/support/contract.ts'
import { aPaidSandboxOrder, aBrowserPayer, PAYER_PIN, changeSetting } from '../journeys/pay-visit.ts'
import type { BrowserPayer } from '../journeys/pay-visit.ts'
import { seedSession } from '../signed-in.ts'
import { XSS } from '#platform/testing/xss.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// money.md H2 for stored input that appears elsewhere: complaints in the operator's mail, documents, refunds, sessions, payouts. The
// conversation with customer service is covered in e2e/support/conversation.test.ts.
const HOOK = `window.ran = []; for (const name of ['alert', 'print', 'confirm', 'prompt']) window[name] = () => { window.ran.push(name) }`
const browser = await openBrowser()
let server: TestServer
let db: Db
let payer: BrowserPayer
let user: Awaited<ReturnType<typeof registerByHttp>>
beforeAll(async () => {
  server = await startTestServer()
  db = connect(server.databaseUrl, { max: 2 })
  await changeSetting(server, 'support.complaintsPerHour', 100_000)
  await changeSetting(server, 'payments.invoice_reissues', 50)
  await changeSetting(server, 'payments.invoice_fee_percent', '0')
  await changeSetting(server, 'risk.captchaByScene', { login: 'off' })
  payer = await aBrowserPayer(browser, server)
  user = await registerByHttp(server)
  await payer.context.addInitScript(HOOK)
})
afterAll(async () => {
  await payer?.context.close()
  await db?.close()
  await server?.stop()
})

const callAsPayer = (path: string, input: object, method: 'GET' | 'POST' = 'POST') =>
  callPlatform(server, method, { path, input, headers: { 'accesstoken': payer.token, 'idempotency-key': randomUUID() } })
/** The first fifty characters, as the fields keep them. */
const cutToField = (text: string) => [...text.trim()].slice(0, 50).join('').trim()
/** Control and direction characters, which no line of an address may contain. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const readScriptRuns = (page: Page) => page.evaluate('window.ran')
const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Elements that a page must never contain, regardless of the stored text. */
const ALIEN = `[...document.querySelectorAll('script, iframe, object, embed, base, form[action^="javascript"], [onerror], [onload], [onclick], a[href]')]
  .filter((part) => (part.localName === 'a' ? !/^(https?|mailto):$/.test(part.protocol) : part.localName !== 'script' || (!part.closest('head') && /alert|print/.test(part.text))))
  .map((part) => part.outerHTML.slice(0, 120))`

test('a complaint: kept whole, mailed to the operator; neither the mail nor the sandbox runs it', async () => {
  const { context } = payer
  const mail = await context.newPage()
  // as a mail program that allows everything would show it
  await mail.addInitScript(HOOK)
  const led: string[] = []
  await mail.route(/evil|x\.example/, (route) => {
    led.push(route.request().url())
    return route.abort()
  })
  const filed: { id: string; text: string }[] = []
  for (const payload of XSS) {
    const { code, data } = await callAsPayer('/common/complaint', { content: payload, email: 'li@example.com' })
    expect([payload, code]).toEqual([payload, 200])
    filed.push({ id: data.complaintId, text: messageText.parse(payload) })
  }
  const kept = await db.query<{ id: string; content: string }>(`select id, content from support_complaints where id not like 'cmp\\_demo%'`)
  expect(new Map(kept.map(({ id, content }) => [id, content]))).toEqual(new Map(filed.map(({ id, text }) => [id, text])))

  const mails = () =>
    db.query<{ subject: string; text: string; html: string }>(
      `select subject, text, html from notices_sandbox_mails where text like '%cmp\\_%' and text not like '%cmp\\_demo%' order by seq`,
    )
  await expect.poll(async () => (await mails()).length).toBe(XSS.length)
  const all = await mails()
  for (const { id, text } of filed) {
    const found = all.find((one) => one.text.includes(id))!
    expect([text, found.subject.includes('<')]).toEqual([text, false])
    expect(collapseSpaces(found.text)).toContain(collapseSpaces(text))
    await mail.goto('about:blank')
    await mail.setContent(found.html, { waitUntil: 'load' })
    expect(collapseSpaces(await mail.locator('body').innerText())).toContain(collapseSpaces(text))
    expect([text, await mail.evaluate(ALIEN)]).toEqual([text, []])
    expect([text, await readScriptRuns(mail)]).toEqual([text, []])
  }
  await mail.goto(`${server.baseUrl}/sandbox?panel=mails&live=0`)
  expect(await mail.evaluate(ALIEN)).toEqual([])
  expect(await mail.locator('section').first().locator('td').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining(filed.at(-1)!.text)]))
  expect(led).toEqual([])
  await mail.close()
})

test('an invoice of a month: the name and the mail refuse all of it, the address what is no line, and what it keeps it shows as it was typed', async () => {
  await aPaidSandboxOrder(server, payer, { amount: '20' })
  const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)
  const good = {
    userName: 'Wang Wei',
    email: 'bill@example.com',
    country: 'China',
    state: 'Guangdong',
    city: 'Shenzhen',
    addressLine: '1 Keji',
    postalCode: '518057',
  }
  const apply = (change: object) => callAsPayer('/v1/userWrapperApi/usageStat/applyInvoice', { month, ...good, ...change })
  for (const payload of XSS)
    for (const field of ['userName', 'email']) expect([field, payload, (await apply({ [field]: cutToField(payload) })).code]).toEqual([field, payload, 400])
  for (const payload of XSS)
    for (const field of ['userName', 'email'])
      expect([field, payload, (await callAsPayer('/user/updateInvoiceDetails', { ...good, [field]: cutToField(payload) })).code]).toEqual([field, payload, 400])

  const places = ['country', 'state', 'city', 'addressLine', 'postalCode'] as const
  const noLine = XSS.map(cutToField).filter((text) => CONTROL.test(text))
  const lines = XSS.map(cutToField).filter((text) => !CONTROL.test(text))
  expect([noLine.length > 0, lines.length > 100]).toEqual([true, true])
  for (const text of noLine)
    for (const field of places) {
      expect([field, text, (await apply({ [field]: text })).code]).toEqual([field, text, 400])
      expect([field, text, (await callAsPayer('/user/updateInvoiceDetails', { ...good, [field]: text })).code]).toEqual([field, text, 400])
    }
  const { page } = payer
  let stored = 0
  for (let at = 0; at < lines.length; at += places.length) {
    const texts = lines.slice(at, at + places.length)
    const place = Object.fromEntries(texts.map((text, index) => [places[index]!, text]))
    const { code, data } = await apply(place)
    expect([place, code]).toEqual([place, 200])
    const [paper] = await db.query<{ to: Record<string, string> }>(`select facts->'to' as to from payments_papers where paper_no = $1`, [data.paperNo])
    expect(paper!.to).toMatchObject(Object.fromEntries(Object.entries(place).map(([name, text]) => [name, text.normalize('NFC')])))
    stored += texts.length
    expect([place, (await callAsPayer('/user/updateInvoiceDetails', { ...good, ...place })).code]).toEqual([place, 200])
    await page.goto(`${server.baseUrl}/receipts`, { waitUntil: 'domcontentloaded' })
    await page.getByText(data.paperNo, { exact: true }).first().waitFor()
    const held = () => page.evaluate<string[]>(`[...document.querySelectorAll('main form input')].map((field) => field.value)`)
    await expect.poll(held).toEqual(expect.arrayContaining(texts.map((text) => text.normalize('NFC'))))
    expect([texts, await readScriptRuns(page)]).toEqual([texts, []])
    expect([texts, await page.evaluate(ALIEN)]).toEqual([texts, []])
  }
  expect(stored).toBe(lines.length)
})

test('the reason of a refund: kept with the order but for signs that break or turn its line, and the page of the order, which tells of each refund, runs nothing', async () => {
  const orderNo = await aPaidSandboxOrder(server, payer, { amount: '20' })
  for (const payload of XSS) {
    const { code, data } = await callAsPayer('/pay/refund', { orderNo, amount: '0.05', reason: payload })
    expect([payload, code, data?.reason]).toEqual([payload, 200, refundReason.parse(payload)])
    expect([payload, CONTROL.test(data.reason)]).toEqual([payload, false])
  }
  const { data } = await callAsPayer('/v1/pay/orderDetail', { orderNo }, 'GET')
  expect(data.refunds.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual(XSS.map((text) => refundReason.parse(text)).toSorted())
  const { page } = payer
  for (const path of [`/orders/${orderNo}`, '/orders', '/sandbox?live=0']) {
    await page.goto(server.baseUrl + path, { waitUntil: 'load' })
    await page.getByRole('heading').first().waitFor()
    await expect.poll(() => page.locator('body').innerText()).toContain('20')
    expect([path, await readScriptRuns(page), await page.evaluate(ALIEN)]).toEqual([path, [], []])
  }
})

test('the payee of a withdrawal: all of it is refused, nothing is kept', async () => {
  const good = { alipayIdentity: 'name@sandbox.example', alipayRealName: '王小明', identityNumber: '11010519491231002X' }
  for (const payload of XSS)
    for (const field of Object.keys(good))
      for (const text of [payload, cutToField(payload)]) {
        const { code } = await callAsPayer('/v1/userWrapperApi/balanceRefund', { amount: '50', payPassword: PAYER_PIN, ...good, [field]: text })
        expect([field, text, code]).toEqual([field, text, 400])
      }
  expect(await db.query('select 1 from payments_withdrawals where user_id = $1', [payer.userId])).toEqual([])
})

test('the name that a browser gives itself: kept whole, and the list of sessions shows no more than a device', async () => {
  const names = XSS.filter((text) => /^[\x20-\x7e]+$/.test(text))
  expect(names.length).toBeGreaterThan(100)
  for (const [at, name] of names.entries()) {
    // each request comes from a separate address, behind the proxy of this machine
    const headers = { 'user-agent': name, 'x-forwarded-for': `203.0.113.${at + 1}` }
    const { code, msg } = await callPlatform(server, 'POST', { path: '/user/passwordLogin', input: { email: user.email, password: user.password }, headers })
    expect([name, code, msg]).toEqual([name, 200, msg])
  }
  const { data } = await callPlatform(server, 'GET', { path: '/user/sessions', headers: { accesstoken: user.token } })
  const listed = data.sessions.map(({ userAgent }: { userAgent: string }) => userAgent)
  expect(listed).toEqual(expect.arrayContaining(names.map((name) => name.trim().slice(0, 300))))
  const { context, page } = await openBrowserContext(browser, { width: 1440, lang: 'zh', theme: 'light' })
  await seedSession(context, user.token)
  await context.addInitScript(HOOK)
  await page.goto(`${server.baseUrl}/account?section=sessions`, { waitUntil: 'domcontentloaded' })
  const rows = page.locator('section[aria-labelledby="account-section"] li')
  await expect.poll(() => rows.count()).toBeGreaterThan(names.length)
  const shown = (await rows.allInnerTexts()).join('\n')
  expect(shown.replaceAll('·', '')).not.toMatch(/[<>{}`"]|alert|script:/)
  expect([await readScriptRuns(page), await page.evaluate(ALIEN)]).toEqual([[], []])
  await context.close()
})
