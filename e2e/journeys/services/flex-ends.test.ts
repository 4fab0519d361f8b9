import { afterAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import { fill } from '#platform/shared/texts.ts'
import { flexTexts } from '#features/flex/texts.ts'
import { flexServerTexts } from '#features/flex/server/texts.ts'
import { callPlatform } from '../../visitor.ts'
import { liftLimitSettings } from '../../limits.ts'
import { payDialogFromBalance } from '../card-steps.ts'
import { aBrowserPayer, fundPayer, createPageCheck, setPayerPin, changeSetting } from '../pay-visit.ts'
import type { BrowserPayer } from '../pay-visit.ts'

// Other endings of a shared subscription: the supplier refuses, the supplier revokes its account, the term expires. Each reports itself and
// the outcome of the money.
const [browser, server] = await Promise.all([openBrowser(), startTestServer({})])
const db = connect(server.databaseUrl, { max: 2 })
await liftLimitSettings(db)
afterAll(async () => {
  await db.close()
  await server.stop()
})

const readBalance = async ({ token, userId }: BrowserPayer): Promise<readonly unknown[]> => {
  const { data } = await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: token } })
  const [row] = await db.query<{ held: bigint }>(`select sum(held)::bigint as held from wallet_accounts where owner = $1`, [`user:${userId}`])
  return [data.balance, row!.held]
}
/** Moves the subscription to the middle of its term and makes its check due. */
const expireHalf = ({ userId }: BrowserPayer) =>
  db.query(
    `update services_tasks set delivered_at = clock_timestamp() - interval '15 days', expires_at = clock_timestamp() + interval '15 days 1 minute',
      next_check_at = clock_timestamp() where user_id = $1 and state = 'in_use'`,
    [userId],
  )
const waitForAccount = ({ userId }: BrowserPayer, state: 'lost' | 'open') =>
  db.query(
    `update flex_accounts set state = $2 where id in
      (select account_id from flex_seats where task_id in (select id from services_tasks where user_id = $1)) or $2 = 'open'`,
    [userId, state],
  )

test.each(pickLook())('$width $lang $theme: refused, then bought; the account is taken back; another one runs out', async (look) => {
  const [t, s] = [flexTexts[look.lang], flexServerTexts[look.lang]]
  const member = await aBrowserPayer(browser, server, look)
  await setPayerPin(server, member)
  await fundPayer(server, member, 30_000_000_000n)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
  const buy = page.getByRole('button', { name: new RegExp(`^${t.buy} ChatGPT Plus`) })
  const enter = page.getByRole('button', { name: fill(t.enter, { name: 'ChatGPT' }), exact: true })
  await changeSetting(server, 'flex.sandbox_fault', 'refused')
  await page.goto(`${server.baseUrl}/gpt-plus-share`)
  await buy.click()
  await page.getByRole('dialog').locator('button[type=submit]').waitFor()
  await seen('flex-pay', 'passes')
  await payDialogFromBalance({ page, look })
  await page.getByText(s.cause_refused, { exact: true }).waitFor()
  await page.getByText('$30.00', { exact: true }).first().waitFor()
  await page.getByText(fill(t.endReleased, { amount: '$9.90' }).trim(), { exact: false }).waitFor()
  expect(await readBalance(member)).toEqual(['30', 0n])
  await seen('flex-refused')

  await changeSetting(server, 'flex.sandbox_fault', 'none')
  await buy.click()
  await payDialogFromBalance({ page, look })
  await enter.waitFor()
  await page.getByText('$20.10', { exact: true }).first().waitFor()
  expect(await readBalance(member)).toEqual(['20.1', 0n])
  await waitForAccount(member, 'lost')
  await expireHalf(member)
  await page.getByText(fill(t.moneyReturned, { amount: '$4.95' }), { exact: true }).waitFor()
  await page.getByText('$25.05', { exact: true }).first().waitFor()
  // Its seats are on sale again
  await waitForAccount(member, 'open')
  await page.reload()
  await buy.waitFor()
  await seen('flex-lost')
  expect(await readBalance(member)).toEqual(['25.05', 0n])

  await buy.click()
  await payDialogFromBalance({ page, look })
  await enter.waitFor()
  await db.query(`update services_tasks set expires_at = clock_timestamp(), next_check_at = clock_timestamp() where user_id = $1 and state = 'in_use'`, [
    member.userId,
  ])
  await page.getByText(s.state_expired, { exact: true }).waitFor()
  await enter.waitFor({ state: 'detached' })
  await seen('flex-expired')
  expect(await readBalance(member)).toEqual(['15.15', 0n])
  expect(problems).toEqual([])
  await member.context.close()
})
