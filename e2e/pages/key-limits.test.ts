import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { runAxe, RUN_LOOKS, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey, generateUse } from '#features/gateway/server/builders.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

// Limits of keys as a user sets and sees them.
const SHOTS = 'e2e/.shots'
let server: TestServer
const browser = await openBrowser()

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  server = await startTestServer({ env: { SANDBOX_CHUNK_MS: '0' } })
})
afterAll(() => server.stop())

/** A user with a key with many limits and some use, a key over its budget, and one without limits. */
async function aKeyOwner() {
  const visitor = await registerByHttp(server)
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: visitor.token } })
  const db = connect(server.databaseUrl, { max: 4 })
  await aFundedUser(db, { userId: data.id, purchased: 1_000_000_000_000n })
  await aKey(db, data.id, { name: 'Cherry Studio' })
  const { key: spent } = await aKey(db, data.id, {
    name: '夜间批处理 nightly-batch-with-a-long-name',
    limits: { dayBudget: 10_000_000n, monthBudget: 900_000_000_000n },
  })
  await generateUse(db, createLog('silent'), { key: spent, days: 2, mostCalls: 12 })
  const { key } = await aKey(db, data.id, {
    name: '生产环境',
    limits: {
      expiresAt: new Date('2027-12-31T16:00:00Z'),
      models: ['openai/*', 'claude-*', 'gemini-*'],
      networks: ['203.0.113.0/24', '2001:db8::/32'],
      requestsMinute: 600,
      tokensMinute: 2_000_000n,
      callsAtOnce: 32,
      dayBudget: 20_000_000_000n,
      monthBudget: 500_000_000_000n,
    },
  })
  await generateUse(db, createLog('silent'), { key, days: 3, mostCalls: 20 })
  await db.close()
  return { visitor, keyId: key.keyId }
}

async function checkPage(page: Page, look: PageLook, { name, full = false }: { readonly name: string; readonly full?: boolean }) {
  await waitForQuietNetwork(page)
  await page.screenshot({ path: `${SHOTS}/${name}-${look.width}-${look.lang}-${look.theme}.png`, fullPage: full })
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}

describe.each(RUN_LOOKS)('limits of a key: $width $lang $theme', (look) => {
  const g = gatewayTexts[look.lang]

  test('a row shows them, a refusal’s link opens them, a wrong value is reported, a saved one is shown', async () => {
    const { visitor, keyId } = await aKeyOwner()
    const { context, page, problems } = await openBrowserContext(browser, look)
    page.setDefaultTimeout(100_000)
    await seedSession(context, visitor.token)
    // The link leads to the key, regardless of the page of the last visit.
    await page.goto(`${server.baseUrl}/api?tab=billingDetails`)
    await page.getByRole('heading', { name: g['tab_billingDetails'] }).waitFor()
    await page.goto(`${server.baseUrl}/api?key=${keyId}`)
    // excludes toasts, which are non-modal dialogs
    const dialog = page.locator('[role="dialog"]:not([aria-modal="false"])')
    await dialog.getByLabel(g['limit_dayBudget']).waitFor()
    expect(page.url()).not.toContain('key=')
    await checkPage(page, look, { name: 'key-limits' })
    await dialog.getByLabel(g['limit_networks']).fill('203.0.113.0/24\nexample.com')
    await dialog.getByRole('button', { name: g['save'], exact: true }).click()
    await dialog.getByText(g['limitBadWord'].replace('{word}', 'example.com')).waitFor()
    await dialog.getByLabel(g['limit_networks']).fill('2001:db8::/48')
    await dialog.getByLabel(g['limit_models']).fill('no-such-model*')
    await dialog.getByRole('button', { name: g['save'], exact: true }).click()
    await dialog.getByText('no-such-model*').last().waitFor()
    await checkPage(page, look, { name: 'key-limits-wrong' })
    await dialog.getByLabel(g['limit_models']).fill('openai/*')
    await dialog.getByLabel(g['limit_dayBudget']).fill('12.34')
    await dialog.getByRole('button', { name: g['save'], exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2001:db8::/48').waitFor()
    await page.getByText('$12.34').waitFor()
    await page.getByRole('heading', { name: g['tab_keys'], exact: true }).scrollIntoViewIfNeeded()
    await checkPage(page, look, { name: 'keys-limited', full: true })
    await page.getByRole('button', { name: g['createKey'], exact: true }).first().click()
    await dialog.getByRole('button', { name: g['limitsTitle'] }).click()
    await dialog.getByLabel(g['keyNameLabel']).fill('new')
    await dialog.getByLabel(g['limit_concurrency']).fill('3')
    await dialog.getByRole('button', { name: g['create'], exact: true }).click()
    await page.getByRole('button', { name: g['keySaved'], exact: true }).click()
    await page.getByText(g['limitFact_concurrency'].replace('{count}', '3'), { exact: true }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
})
