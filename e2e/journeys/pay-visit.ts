import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { axe, openContext, overflow, quiet } from '#platform/testing/browser.ts'
import type { Look } from '#platform/testing/browser.ts'
import type { ServerAt } from '#platform/testing/server.ts'
import { mayTry } from '#features/services/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { post, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { signedIn } from '../signed-in.ts'
import { expectToStay, IS_HARD } from './stays.ts'
import { callPlatform, captchaParam, mailedCode, register } from '../visitor.ts'

export const DESKTOP: Look = { width: 1440, lang: 'zh', theme: 'light' }
export const PHONE: Look = { width: 414, lang: 'zh', theme: 'light' }

export interface Payer {
  readonly token: string
  readonly userId: string
  readonly email: string
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors and warnings; expected to be empty. */
  readonly problems: string[]
}

/** A registered user, signed in in a separate browser context. */
export async function aPayer(browser: Browser, server: ServerAt, look: Look = DESKTOP): Promise<Payer> {
  const { token, email } = await register(server)
  const { data } = await callPlatform(server, 'GET', '/user/info', {}, { accesstoken: token })
  const { context, page, problems } = await openContext(browser, look)
  await signedIn(context, token)
  return { token, userId: data.id, email, context, page, problems }
}

/** Makes the account count as one that has paid, so that it may start trials. */
export async function hasPaid(server: ServerAt, { userId }: Pick<Payer, 'userId'>): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await mayTry(db, userId).finally(() => db.close())
}

/** An order of that many dollars at the sandbox: 1 Alipay (code), 3 UnionPay (form), 5 card (redirect). */
export async function anOrder(server: ServerAt, { token }: Pick<Payer, 'token'>, amount: string, transactionType = 1, tradeFrom = 'QRCODE'): Promise<string> {
  const { code, msg, data } = await callPlatform(
    server,
    'POST',
    '/api/go/v1/payOrder',
    { orderType: 10, amount, channelType: 25, transactionType, tradeFrom },
    { 'accesstoken': token, 'idempotency-key': randomUUID() },
  )
  expect([code, msg]).toEqual([200, msg])
  return data.orderNo
}

/** The payer's phone: the sandbox's cashier of an order, and one press of a button there. */
export async function press(
  server: ServerAt,
  { token }: Pick<Payer, 'token'>,
  orderNo: string,
  action: string,
  transactionType = 1,
  tradeFrom = 'QRCODE',
  payer = '',
): Promise<void> {
  const { data } = await callPlatform(
    server,
    'POST',
    '/api/go/v1/payParam',
    { order_id: orderNo, channelType: 25, transactionType, tradeFrom },
    { accesstoken: token },
  )
  const cashier = data.payUrl || /action="([^"]+)"/.exec(data.payHtml)?.[1]
  const reply = await fetch(cashier, { method: 'POST', body: new URLSearchParams({ action, payer }), redirect: 'manual' })
  expect(reply.status).toBe(303)
}

/** An order that is paid and credited. */
export async function aPaidOrder(server: ServerAt, payer: Pick<Payer, 'token'>, amount: string, paidBy = ''): Promise<string> {
  const orderNo = await anOrder(server, payer, amount)
  await press(server, payer, orderNo, 'pay', 1, 'QRCODE', paidBy)
  await expect.poll(() => stateOf(server, payer, orderNo)).toBe('fulfilled')
  return orderNo
}

export async function stateOf(server: ServerAt, { token }: Pick<Payer, 'token'>, orderNo: string): Promise<string> {
  return (await callPlatform(server, 'POST', '/v1/pay/tradeStatus', { orderNo }, { accesstoken: token })).data.state
}

/** Balance that no order brought: it can only leave by transfer. */
export async function fund(server: ServerAt, { userId }: Pick<Payer, 'userId'>, nano: bigint): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await aFundedUser(db, { userId, purchased: nano })
  await db.close()
}

/** A payment of theirs is charged back: what the balance lacks is owed. */
export async function charged(server: ServerAt, { userId }: Pick<Payer, 'userId'>, nano: bigint): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  const leg = { from: userAccount(userId), to: systemAccount('wash'), amount: nano, owe: true }
  await transact(db, SYSTEM, async (tx) => {
    await post(tx, { kind: 'dispute', ref: `test:${userId}`, legs: [leg] })
    await tx.audit('test.charged', `user:${userId}`)
  }).finally(() => db.close())
}

/** A hand on the screen, so that nothing moves on by itself while a test reads the page. */
export async function handOn(on: Pick<Page, 'addInitScript'>): Promise<void> {
  await on.addInitScript({ content: `setInterval(() => dispatchEvent(new Event('pointerdown')), 100)` })
}

export const PIN = '739164'

/** Sets the payment password PIN, with a code from the mailbox. */
export async function setPin(server: ServerAt, { token, email }: Payer): Promise<void> {
  const captchaVerifyParam = await captchaParam(server, 'security')
  const old = await mailedCode(server, email)
  await callPlatform(server, 'POST', '/user/verify/password/verifyCode/email', { captchaVerifyParam }, { accesstoken: token })
  await expect.poll(() => mailedCode(server, email)).not.toBe(old)
  const { code, msg } = await callPlatform(
    server,
    'POST',
    '/account/setPayPassword',
    { password: PIN, verifyCode: await mailedCode(server, email) },
    { accesstoken: token },
  )
  expect([code, msg]).toEqual([200, msg])
}

/**
 * Pays in the cashier's own tab, waits for the page that follows, and closes the tab. Closed earlier, it may take the payment with it, and
 * Chromium may never report it as closed.
 */
export async function payAndClose(cashier: Page): Promise<void> {
  const pay = cashier.locator('button[value="pay"]')
  await pay.click()
  await pay.waitFor({ state: 'detached' })
  await cashier.waitForLoadState()
  await cashier.close()
}

/** Types the payment password where it is asked for. */
export async function typePin(page: Page, digits = PIN): Promise<void> {
  await page.locator('input[autocomplete="off"][inputmode="numeric"]').first().click()
  await page.keyboard.type(digits)
}

/** Changes a setting as an operator would; the server picks it up within two seconds. */
export async function setSetting(server: ServerAt, key: string, value: unknown): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(
    `insert into settings (key, value, updated_by) values ($1,$2,'test:journey') on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [key, JSON.stringify(value)],
  )
  await db.close()
  await new Promise((done) => setTimeout(done, 2100))
}

/** Takes a screenshot of a page, and checks the rules for every page: no axe violation, nothing wider than the window. */
export function looking(page: Page, { width, lang, theme }: Look): (name: string, step?: 'passes') => Promise<void> {
  return async (name, step) => {
    await quiet(page)
    await shot(page, `${name}-${width}-${lang}-${theme}`, true)
    // Elements that are fading out at the first check are gone at the second; a real violation stays.
    await expect.poll(async () => [name, await axe(page)]).toEqual([name, []])
    expect([name, await overflow(page)]).toEqual([name, 0])
    if (IS_HARD && step !== 'passes') await expectToStay(page, name)
  }
}

/** A screenshot for manual review. */
export function shot(page: Page, name: string, full = false): Promise<unknown> {
  return page.screenshot({ path: `e2e/.shots/${name}.png`, fullPage: full })
}
