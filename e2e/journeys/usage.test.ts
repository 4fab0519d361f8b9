import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { runAxe, RUN_LOOKS, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork, readDownload } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { aKey, generateUse } from '#features/gateway/server/builders.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// The billing page over real usage: its contents, its filters, its exported file.
const SHOTS = 'e2e/.shots'
let db: Db
let token: string
let accountId: bigint
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  ;({ token } = await registerByHttp(server))
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })
  db = connect(server.databaseUrl, { max: 4 })
  await aFundedUser(db, { userId: data.id, purchased: 1_234_567_890_123n })
  const { key } = await aKey(db, data.id, { name: '生产环境 <img src=x onerror=alert(1)> 很长的名称 مرحبا 👩‍🚀' })
  const { key: other } = await aKey(db, data.id, { name: 'Cherry Studio' })
  await generateUse(db, createLog('silent'), { key, days: 40 })
  await generateUse(db, createLog('silent'), { key: other, days: 3, mostCalls: 12 })
  accountId = key.accountId
})
afterAll(() => db.close())

const openUsagePage = async (look: (typeof RUN_LOOKS)[number], search: string) => {
  const opened = await openBrowserContext(browser, look)
  await seedSession(opened.context, token)
  await opened.page.goto(`${server.baseUrl}/api?tab=billingDetails${search}`)
  return opened
}
const rowsOf = (page: Page) => page.locator('[data-call]')

test.each(RUN_LOOKS)('sums, hours, keys and single calls: $width $lang $theme', async (look) => {
  const g = gatewayTexts[look.lang]
  const { page, context, problems } = await openUsagePage(look, '')
  const seen = async (name: string) => {
    await waitForQuietNetwork(page)
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: `${SHOTS}/usage-${name}-${look.width}-${look.lang}-${look.theme}.png`, fullPage: true })
    expect([name, await runAxe(page)]).toEqual([name, []])
    expect([name, await measureOverflow(page)]).toEqual([name, 0])
  }
  await page.getByRole('img', { name: g['chart_day'] }).waitFor()
  await page.getByText(g['total']).first().waitFor()
  await seen('month')
  await page.getByRole('button', { name: g['range_week'], exact: true }).click()
  await page.getByRole('button', { name: g['group_key'], exact: true }).click()
  await page.getByText('Cherry Studio').filter({ visible: true }).first().waitFor()
  await seen('week-by-key')
  await page.getByRole('button', { name: g['range_today'], exact: true }).click()
  await page.getByRole('img', { name: g['chart_hour'] }).waitFor()
  await seen('today')
  await page.getByRole('button', { name: g['range_own'], exact: true }).click()
  await page.getByLabel(g['rangeFrom'], { exact: true }).fill('2026-01-01')
  await page.getByLabel(g['rangeTo'], { exact: true }).fill('2026-12-31')
  // the chart of a year moves the content below it
  await page.getByRole('img', { name: g['chart_month'] }).waitFor()
  await page.getByRole('button', { name: g['view_days'], exact: true }).click()
  await page
    .getByText(/^\d{4}-\d\d-\d\d$/)
    .first()
    .waitFor()
  await seen('days')
  await page.reload()
  await page
    .getByText(/^\d{4}-\d\d-\d\d$/)
    .first()
    .waitFor()
  expect(problems).toEqual([])
  await context.close()
})

/** A range that includes every call. */
const [FROM, TO] = [300, -1].map((days) => toShanghaiDay(new Date(Date.now() - days * 86_400_000)))

test('filters narrow the list, more rows load by themselves, a receipt opens, and the address keeps it all', async () => {
  const g = gatewayTexts.zh
  const { page, context, problems } = await openUsagePage(
    { width: 1440, lang: 'zh', theme: 'light' },
    `&view=calls&range=own&from=${FROM}&to=${TO}&state=client_gone`,
  )
  const failed = (
    await db.query<{ n: number }>(`select count(*)::int as n from gateway_usage where account_id = $1 and outcome = 'client_gone'`, [accountId])
  )[0]!.n
  expect(failed).toBeGreaterThan(5)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4000)
      return rowsOf(page).count()
    })
    .toBe(failed)
  await page.getByRole('searchbox').fill('99999')
  await page.getByText(g['requestsEmpty']).waitFor()
  await page.getByRole('searchbox').fill('')
  await rowsOf(page).first().click()
  await page.getByText(g['callRequestId'], { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('state')).toBe('client_gone')
  expect(problems).toEqual([])
  await context.close()
})

test('a file of all calls is saved whole; one that breaks or is cancelled is not saved', async () => {
  const g = gatewayTexts.zh
  const { page, context } = await openUsagePage({ width: 1440, lang: 'zh', theme: 'light' }, `&range=own&from=${FROM}&to=${TO}`)
  const press = () => page.getByRole('button', { name: g['exportCsv'], exact: true }).click()
  await page.getByText(g['total'], { exact: true }).first().waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  expect(file.suggestedFilename()).toBe(`usage-${FROM}-${TO}.csv`)
  const lines = (await readDownload(file)).toString().trimEnd().split('\r\n')
  const rows = await db.query<{ callId: string; amount: bigint }>(
    'select call_id, amount from gateway_usage where account_id = $1 order by started_at, call_id',
    [accountId],
  )
  expect(lines.slice(1, -1).map((line) => /call_\w+/.exec(line)![0])).toEqual(rows.map((row) => row.callId))
  expect(lines.at(-1)).toBe(`合计 ${rows.length} 次调用,,,,,,,,,,,,${formatUsd(sumNano(rows.map((row) => row.amount)))}`)
  expect(sumNano(lines.slice(1, -1).map((line) => parseUsd(line.split(',').at(-6)!)))).toBe(sumNano(rows.map((row) => row.amount)))

  let saved = 0
  page.on('download', () => saved++)
  await page.route('**/user/usage.csv**', async (route) => {
    const reply = await route.fetch()
    const text = await reply.text()
    await route.fulfill({ response: reply, body: text.slice(0, text.length / 2) })
  })
  await press()
  await page.getByText(g['exportBroken']).first().waitFor()
  await page.unroute('**/user/usage.csv**')
  let letGo = (): void => undefined
  const isLetGo = new Promise<void>((done) => (letGo = done))
  await page.route('**/user/usage.csv**', async (route) => {
    await isLetGo
    await route.continue().catch(() => {})
  })
  await press()
  await page.getByRole('button', { name: g['cancel'], exact: true }).click()
  letGo()
  await page.getByRole('button', { name: g['exportCsv'], exact: true }).waitFor()
  await page.waitForTimeout(300)
  expect(saved).toBe(0)
  await context.close()
})
