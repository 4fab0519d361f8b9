import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { runAxe, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import type { ServerAddress } from '#platform/testing/server.ts'
import { makeTrialEligible } from '#features/services/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { postTransaction, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, solveCaptchaOverHttp, fetchMailedCode, registerByHttp } from '../visitor.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/** True under `npm run e2e`, which checks each journey at every step; a change only takes screenshots. */
export const CHECKS_EVERY_STEP = process.env['STEPS'] === 'hard'
const LAYERS = '[role=dialog], [role=alertdialog]'

/** The page's text without values that change over time: minutes left, times. */
const readPageText = async (page: Page): Promise<string> =>
  String(await page.evaluate(`document.querySelector('main')?.innerText ?? document.body.innerText`))
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ')

/**
 * Checks that a step survives interruptions: the network drops and returns, a second tab and a reload show the same. With a dialog open only the
 * network drops, because a reload closes the dialog.
 */
async function expectStablePage(page: Page, name: string): Promise<void> {
  // A copy button shows its confirmation for a moment
  await expect.poll(() => readPageText(page)).not.toMatch(/Copied|已复制/)
  let before = await readPageText(page)
  const says = (tab: Page, how: string) =>
    expect
      .poll(async () => {
        // Automatic progress happens in both tabs
        if (tab !== page) before = await readPageText(page)
        return { name, how, before, says: await readPageText(tab) }
      })
      .toSatisfy((both: { readonly before: string; readonly says: string }) => both.before === both.says)
  const context = page.context()
  await context.setOffline(true)
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
  await context.setOffline(false)
  await waitForQuietNetwork(page)
  await says(page, 'after the network was gone')
  if (await page.locator(LAYERS).count()) return
  const tab = await context.newPage()
  await tab.goto(page.url())
  await waitForQuietNetwork(tab)
  await says(tab, 'in a second tab')
  await tab.close()
  await page.reload()
  await waitForQuietNetwork(page)
  await says(page, 'after a reload')
}

export const DESKTOP_LOOK: PageLook = { width: 1440, lang: DEFAULT_LANG, theme: 'light' }
export const PHONE_LOOK: PageLook = { width: 414, lang: DEFAULT_LANG, theme: 'light' }

export interface BrowserPayer {
  readonly token: string
  readonly userId: string
  readonly email: string
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors and warnings; expected to be empty. */
  readonly problems: string[]
}

/** A registered user, signed in in a separate browser context. */
export async function aBrowserPayer(browser: Browser, server: ServerAddress, look: PageLook = DESKTOP_LOOK): Promise<BrowserPayer> {
  const { token, email } = await registerByHttp(server)
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })
  const { context, page, problems } = await openBrowserContext(browser, look)
  await seedSession(context, token)
  return { token, userId: data.id, email, context, page, problems }
}

/** Marks the account as one that has paid, so that it may start trials. */
export async function markAsPaidBefore(server: ServerAddress, { userId }: Pick<BrowserPayer, 'userId'>): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await makeTrialEligible(db, userId).finally(() => db.close())
}

/** Creates an order of that many dollars at the sandbox: 1 Alipay (code), 3 UnionPay (form), 5 card (redirect). */
export async function aSandboxOrder(
  server: ServerAddress,
  { token }: Pick<BrowserPayer, 'token'>,
  { amount, transactionType = 1, tradeFrom = 'QRCODE' }: { readonly amount: string; readonly transactionType?: number; readonly tradeFrom?: string },
): Promise<string> {
  const { code, msg, data } = await callPlatform(server, 'POST', {
    path: '/api/go/v1/payOrder',
    input: { orderType: 10, amount, channelType: 25, transactionType, tradeFrom },
    headers: { 'accesstoken': token, 'idempotency-key': randomUUID() },
  })
  expect([code, msg]).toEqual([200, msg])
  return data.orderNo
}

/** Opens an order at the sandbox's cashier, as on the payer's phone, and presses one button there. */
export async function pressCashierButton(
  server: ServerAddress,
  { token }: Pick<BrowserPayer, 'token'>,
  {
    orderNo,
    action,
    transactionType = 1,
    tradeFrom = 'QRCODE',
    payer = '',
  }: { readonly orderNo: string; readonly action: string; readonly transactionType?: number; readonly tradeFrom?: string; readonly payer?: string },
): Promise<void> {
  const { data } = await callPlatform(server, 'POST', {
    path: '/api/go/v1/payParam',
    input: { order_id: orderNo, channelType: 25, transactionType, tradeFrom },
    headers: { accesstoken: token },
  })
  const cashier = data.payUrl || /action="([^"]+)"/.exec(data.payHtml)?.[1]
  const reply = await fetch(cashier, { method: 'POST', body: new URLSearchParams({ action, payer }), redirect: 'manual' })
  expect(reply.status).toBe(303)
}

/** Creates an order that is paid and credited. */
export async function aPaidSandboxOrder(
  server: ServerAddress,
  payer: Pick<BrowserPayer, 'token'>,
  { amount, paidBy = '' }: { readonly amount: string; readonly paidBy?: string },
): Promise<string> {
  const orderNo = await aSandboxOrder(server, payer, { amount })
  await pressCashierButton(server, payer, { orderNo, action: 'pay', transactionType: 1, tradeFrom: 'QRCODE', payer: paidBy })
  await expect.poll(() => fetchOrderState(server, payer, orderNo)).toBe('fulfilled')
  return orderNo
}

export async function fetchOrderState(server: ServerAddress, { token }: Pick<BrowserPayer, 'token'>, orderNo: string): Promise<string> {
  return (await callPlatform(server, 'POST', { path: '/v1/pay/tradeStatus', input: { orderNo }, headers: { accesstoken: token } })).data.state
}

/** Adds balance without an order: it can only be withdrawn by transfer. */
export async function fundPayer(server: ServerAddress, { userId }: Pick<BrowserPayer, 'userId'>, nano: bigint): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await aFundedUser(db, { userId, purchased: nano })
  await db.close()
}

/** Charges back one of the user's payments: the account owes the amount that its balance cannot cover. */
export async function chargeBackPayer(server: ServerAddress, { userId }: Pick<BrowserPayer, 'userId'>, nano: bigint): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  const leg = { from: userAccount(userId), to: systemAccount('wash'), amount: nano, owe: true }
  await transact(db, SYSTEM, async (tx) => {
    await postTransaction(tx, { kind: 'dispute', ref: `test:${userId}`, legs: [leg] })
    await tx.audit('test.charged', `user:${userId}`)
  }).finally(() => db.close())
}

/** Simulates continuous touches, so that the page does not advance by itself while a test reads it. */
export async function simulateTouch(on: Pick<Page, 'addInitScript'>): Promise<void> {
  await on.addInitScript({ content: `setInterval(() => dispatchEvent(new Event('pointerdown')), 100)` })
}

export const PAYER_PIN = '739164'

/** Sets the payment password PIN, with a code from the mailbox. */
export async function setPayerPin(server: ServerAddress, { token, email }: BrowserPayer): Promise<void> {
  const captchaVerifyParam = await solveCaptchaOverHttp(server, 'security')
  const old = await fetchMailedCode(server, email)
  await callPlatform(server, 'POST', { path: '/user/verify/password/verifyCode/email', input: { captchaVerifyParam }, headers: { accesstoken: token } })
  await expect.poll(() => fetchMailedCode(server, email)).not.toBe(old)
  const { code, msg } = await callPlatform(server, 'POST', {
    path: '/account/setPayPassword',
    input: { password: PAYER_PIN, verifyCode: await fetchMailedCode(server, email) },
    headers: { accesstoken: token },
  })
  expect([code, msg]).toEqual([200, msg])
}

/**
 * Pays in the cashier's own tab, waits for the next page, and closes the tab. If closed earlier, the tab may abort the payment, and
 * Chromium may never report it as closed.
 */
export async function payAndCloseCashier(cashier: Page): Promise<void> {
  const pay = cashier.locator('button[value="pay"]')
  await pay.click()
  await pay.waitFor({ state: 'detached' })
  await cashier.waitForLoadState()
  await cashier.close()
}

/** Types the payment password if the page requires it. */
export async function typePayPin(page: Page, digits = PAYER_PIN): Promise<void> {
  await page.locator('input[autocomplete="off"][inputmode="numeric"]').first().click()
  await page.keyboard.type(digits)
}

/** Changes a setting as an operator would; the server picks it up within two seconds. */
export async function changeSetting(server: ServerAddress, key: string, value: unknown): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(
    `insert into settings (key, value, updated_by) values ($1,$2,'test:journey') on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [key, JSON.stringify(value)],
  )
  await db.close()
  await new Promise((done) => setTimeout(done, 2100))
}

/** Takes a screenshot of a page, and checks the rules for every page: no axe violation, nothing wider than the window. */
export function createPageCheck(page: Page, { width, lang, theme }: PageLook): (name: string, step?: 'passes') => Promise<void> {
  return async (name, step) => {
    await waitForQuietNetwork(page)
    await takeScreenshot(page, `${name}-${width}-${lang}-${theme}`, true)
    // Elements that are fading out at the first check are gone at the second; a real violation stays.
    await expect.poll(async () => [name, await runAxe(page)]).toEqual([name, []])
    expect([name, await measureOverflow(page)]).toEqual([name, 0])
    if (CHECKS_EVERY_STEP && step !== 'passes') await expectStablePage(page, name)
  }
}

/** A screenshot for manual review. */
export function takeScreenshot(page: Page, name: string, full = false): Promise<unknown> {
  return page.screenshot({ path: `e2e/.shots/${name}.png`, fullPage: full })
}
