import { expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { fill } from '#platform/shared/texts.ts'
import { runAxe, pickLook, openBrowser, openBrowserContext, measureOverflow } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { pricingTexts } from '#features/site/pricing-texts.ts'
import { siteTexts } from '#features/site/texts.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'

const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
const MODEL = 'gpt-4.1-mini'

// A contract at four fifths of the list price, for one model.
test.each(pickLook())('the public price pages show a customer the prices of their contract, marked ($lang at $width)', async (look) => {
  const { token } = await registerByHttp(server)
  const { data: me } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(
    `insert into gateway_price_terms (user_id, model_id, valid_from, millionths, title, rises, made_by) values ($1, $2, now() - interval '1 day', 800000, 'test', false, 'test')`,
    [me.id, MODEL],
  )
  await db.close()
  const listed = (await callPlatform(server, 'GET', { path: '/user/model_price' })).data.rowList.find((row: { modelValue: string }) => row.modelValue === MODEL)
  const { data: own } = await callPlatform(server, 'GET', { path: '/user/own_prices', headers: { accesstoken: token } })
  expect(own.rowList.map((row: { modelValue: string }) => row.modelValue)).toEqual([MODEL])
  const { context, page, problems } = await openBrowserContext(browser, look)
  const t = pricingTexts[look.lang]
  const row = page.locator('tr', { has: page.getByText(MODEL, { exact: true }) })
  const badge = row.getByText(fill(t['own'], { percent: '80' }), { exact: true })
  // cards far below are not laid out yet, and have no inner text
  const priceOf = async () => (await row.locator('td .num').first().textContent())?.replace('$', '')

  await page.goto(`${server.baseUrl}/pricing`)
  await row.waitFor()
  expect([await badge.count(), Number(await priceOf())]).toEqual([0, Number(listed.prices.usd.input)])
  await seedSession(context, token)
  await page.goto(`${server.baseUrl}/pricing`)
  await badge.waitFor()
  expect(Number(await priceOf())).toBe(Number(own.rowList[0].prices.usd.input))
  expect(Number(own.rowList[0].prices.usd.input)).toBeCloseTo(Number(listed.prices.usd.input) * 0.8, 9)
  await page.getByText(t['lead_own'], { exact: true }).waitFor()
  expect(await runAxe(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  await page.screenshot({ path: `e2e/.shots/own-prices-${look.width}-${look.lang}-${look.theme}.png` })
  await page.goto(`${server.baseUrl}/`)
  await page.getByText(siteTexts[look.lang]['price_lead_own'], { exact: true }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})
