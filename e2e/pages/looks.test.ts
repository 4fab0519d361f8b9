import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { runAxe, navigateInApp, RUN_LOOKS, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { accountTexts } from '#features/account/texts.ts'
import { aKey, generateUse } from '#features/gateway/server/builders.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { withdrawTexts } from '#features/payments/texts-withdraw.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { chooseSignInWay } from '../journeys/account-visit.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// Every page and dialog in both widths, languages and themes, with awkward data: no axe violations, nothing wider than the window, no
// console output. Screenshots go to e2e/.shots for manual review.
const SHOTS = 'e2e/.shots'
let visitor: { token: string; email: string; password: string }
let callId: string
let orderNo: string
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  visitor = await registerByHttp(server)
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: visitor.token } })
  const db = connect(server.databaseUrl, { max: 4 })
  await aFundedUser(db, { userId: data.id, purchased: 1_234_567_890_123n, granted: 5_000_000_000n })
  const { key } = await aKey(db, data.id, { name: '生产环境 <img src=x onerror=alert(1)> 很长的名称 مرحبا 👩‍🚀' })
  await aKey(db, data.id, { name: 'Cherry Studio' })
  await generateUse(db, createLog('silent'), { key, days: 30 })
  callId = (
    await db.query<{ callId: string }>('select call_id from gateway_usage where user_id = $1 and amount > 0 order by started_at desc limit 1', [data.id])
  )[0]!.callId
  await db.close()
  const order = await callPlatform(server, 'POST', {
    path: '/api/go/v1/payOrder',
    input: { orderType: 10, amount: '399.99', channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' },
    headers: { 'accesstoken': visitor.token, 'idempotency-key': 'looks-order' },
  })
  orderNo = order.data.orderNo
})

// each test covers some twenty pages, which may take long on a busy machine
describe.each(RUN_LOOKS)('$width $lang $theme', (look) => {
  const a = accountTexts[look.lang]
  const g = gatewayTexts[look.lang]
  const p = paymentTexts[look.lang]
  const { width, lang, theme } = look

  const open = async () => {
    const opened = await openBrowserContext(browser, look)
    onTestFailed(async () => void (await opened.page.screenshot({ path: `${SHOTS}/looks-failed-${width}-${lang}-${theme}.png`, timeout: 5_000 })))
    return opened
  }
  const seen = async (page: Page, name: string, full = false) => {
    await waitForQuietNetwork(page)
    // on a busy machine a page may be idle for a while before it requests its rows
    if (name !== 'kit') await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: `${SHOTS}/${name}-${width}-${lang}-${theme}.png`, fullPage: full })
    expect([name, await runAxe(page)]).toEqual([name, []])
    expect([name, await measureOverflow(page)]).toEqual([name, 0])
  }

  test('pages of a visitor', async () => {
    const { context, page, problems } = await open()
    const everywhere = [
      ['landing', '/', true],
      ['prices', '/pricing', false],
      ['pricing-visitor', '/api?tab=pricing', false],
      ['pay-result-visitor', `/pay-result?orderNo=${orderNo}`, false],
    ] as const
    // pages of plain text and internal tools: two opposite looks are enough
    const twice = [
      ['service', '/service', true],
      ['compatibility', '/compatibility', true],
      ['terms', '/terms', false],
      ['privacy', '/privacy', false],
      ['not-found', '/no/such/page', false],
      ['kit', '/dev/ui', true],
      ['sandbox', '/sandbox?live=0', false],
      ['openapi', '/docs/openapi', false],
    ] as const
    const isOpposite = RUN_LOOKS.length === 1 || (width === 1440 && theme === 'light') || (width === 414 && theme === 'dark')
    for (const [name, path, full] of [...everywhere, ...(isOpposite ? twice : [])]) {
      await page.goto(`${server.baseUrl}${path}`)
      await page.locator('h1').first().waitFor()
      await seen(page, name, full)
    }
    await page.goto(`${server.baseUrl}/`)
    await page.getByRole('button', { name: a['auth_submit_login'], exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input').first().waitFor()
    await seen(page, 'auth-login')
    await chooseSignInWay({ form: dialog, a }, 'email', 'password')
    await seen(page, 'auth-login-email')
    await dialog.getByRole('button', { name: a['auth_submit_login'], exact: true }).click()
    await seen(page, 'auth-login-errors')
    await dialog.getByRole('button', { name: a['auth_to_register'], exact: true }).click()
    await seen(page, 'auth-register')
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
    await context.close()
  })

  test('pages of a signed-in user', async () => {
    const { context, page, problems } = await open()
    await page.goto(`${server.baseUrl}/login`)
    await chooseSignInWay({ form: page.locator('main'), a }, 'email', 'password')
    await page.getByLabel(a['auth_email'], { exact: true }).fill(visitor.email)
    await page.locator('input[autocomplete="current-password"]').fill(visitor.password)
    await page.locator('main').getByRole('button', { name: a['auth_submit_login'], exact: true }).click()
    await page.waitForURL('**/api**')
    await page.getByText('Cherry Studio').first().waitFor()
    await seen(page, 'overview', true)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: g['createKey'], exact: true }).first().click()
    await dialog.getByLabel(g['keyNameLabel']).waitFor()
    await seen(page, 'key-create')
    await dialog.getByLabel(g['keyNameLabel']).fill('新密钥')
    await dialog.getByRole('button', { name: g['create'], exact: true }).click()
    await dialog.getByLabel(g['keySecretLabel']).waitFor()
    await seen(page, 'key-ready')
    await dialog.getByRole('button', { name: g['keySaved'], exact: true }).click()
    await page.goto(`${server.baseUrl}/api?tab=keys`)
    // late data rerenders the rows, which closes an open menu
    await waitForQuietNetwork(page)
    await page.getByRole('button', { name: g['keyMore'].replace('{name}', 'Cherry Studio') }).click()
    await page.getByRole('menuitem', { name: g['deleteKeyWord'], exact: true }).click()
    await dialog.waitFor()
    await seen(page, 'key-delete')
    await page.goto(`${server.baseUrl}/api?tab=view`)
    await page.getByRole('button', { name: g['recharge'], exact: true }).first().click()
    await dialog.getByRole('button', { name: /¥[\d,.]+/ }).waitFor()
    await seen(page, 'recharge-amount')
    if (width === 1440) {
      await dialog.getByRole('button', { name: /¥[\d,.]+/ }).click()
      await dialog.getByRole('link', { name: p['open_cashier'] }).waitFor()
      await seen(page, 'recharge-code')
    }
    await page.keyboard.press('Escape')
    for (const tab of ['keys', 'requests', 'rechargeRecord', 'billingDetails', 'pricing'] as const) {
      await navigateInApp(page, `/api?tab=${tab}`)
      await page.locator('h1').first().waitFor()
      await seen(page, tab)
    }
    await navigateInApp(page, `/api?tab=requests&call=${callId}`)
    await page.getByText(callId).first().waitFor()
    await seen(page, 'call-receipt')
    for (const section of ['profile', 'security', 'sessions', 'look', 'invoice', 'mails', 'data']) {
      await navigateInApp(page, `/account?section=${section}`)
      await page.locator('#account-section').waitFor()
      await seen(page, `account-${section}`, true)
    }
    await navigateInApp(page, `/pay-result?orderNo=${orderNo}`)
    await page.locator('h1').first().waitFor()
    await seen(page, 'pay-result')
    for (const [name, path] of [
      ['orders-list', '/orders'],
      ['order-page', `/orders/${orderNo}`],
      ['withdrawals-list', '/withdrawals'],
      ['receipts', '/receipts'],
    ] as const) {
      await navigateInApp(page, path)
      await page.locator('h1').first().waitFor()
      await seen(page, name, true)
    }
    await navigateInApp(page, '/withdrawals')
    await page.getByRole('button', { name: withdrawTexts[lang]['withdraw'], exact: true }).first().click()
    await dialog.getByLabel(withdrawTexts[lang]['withdraw_amount'], { exact: true }).waitFor()
    await seen(page, 'withdraw-dialog')
    expect(problems).toEqual([])
    await context.close()
  })
})
