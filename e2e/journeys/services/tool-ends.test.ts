import { afterAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import { mailboxTexts } from '#features/mailbox/texts.ts'
import { numberTexts } from '#features/numbers/texts.ts'
import { payDialogFromBalance } from '../card-steps.ts'
import { aBrowserPayer, fundPayer, createPageCheck, setPayerPin, changeSetting } from '../pay-visit.ts'
import type { BrowserPayer } from '../pay-visit.ts'
import { callPlatform } from '../../visitor.ts'
import { liftLimitSettings } from '../../limits.ts'

// Other outcomes of a number and of a mailbox: no number available, a number returned, a pack bought and its rest refunded; no password in time,
// retried, cancelled, expired. Only what was delivered is charged, to the cent.
const [browser, server] = await Promise.all([
  openBrowser(),
  startTestServer({
    roles: 'api,worker,sandbox,mail',
    env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,service,number', MAILBOX_DOMAINS: 'box.mingxi.example' },
  }),
])
const db = connect(server.databaseUrl, { max: 2 })
await liftLimitSettings(db)
await changeSetting(server, 'mailbox.free', 0)
afterAll(async () => {
  await db.close()
  await server.stop()
})

const setSandboxMood = (name: 'well' | 'empty') => db.query('update numbers_sandbox_mood set mood = $1', [name])
const readBalance = async ({ token, userId }: BrowserPayer): Promise<readonly unknown[]> => {
  const { data } = await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: token } })
  const [row] = await db.query<{ held: bigint }>(`select sum(held)::bigint as held from wallet_accounts where owner = $1`, [`user:${userId}`])
  return [data.balance, row!.held]
}
/** Expires a member's newest task. */
const expireTask = ({ userId }: BrowserPayer, what: 'deadline_at' | 'expires_at') =>
  db.query(
    `update services_tasks set ${what} = clock_timestamp(), next_check_at = clock_timestamp()
      where id = (select id from services_tasks where user_id = $1 order by created_at desc limit 1)`,
    [userId],
  )

/** A user with a card, five dollars and a payment password. */
async function aMember(look: PageLook): Promise<BrowserPayer> {
  const member = await aBrowserPayer(browser, server, look)
  await setPayerPin(server, member)
  await fundPayer(server, member, 5_000_000_000n)
  await db.query(
    `insert into cards_cards (id, user_id, type, state, issuer, issuer_state, months, next_check_at, activated, opened_at)
      values ($1, $2, 'standard', 'active', 'sandbox', 'active', 24, null, true, now())`,
    [`card_${createRandomCode(16).toLowerCase()}`, member.userId],
  )
  return member
}

test.each(pickLook())('$width $lang $theme: no supplier has a number, one is given back, a pack is bought and its rest paid back', async (look) => {
  const t = numberTexts[look.lang]
  const member = await aMember(look)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
  await page.goto(`${server.baseUrl}/sms`)
  await setSandboxMood('empty')
  await page.getByRole('button', { name: t['get'], exact: true }).click()
  await page.getByText(t['cause_no_numbers'], { exact: true }).waitFor()
  await page.getByText(t['backUse'], { exact: true }).waitFor()
  await seen('numbers-nobody', 'passes')
  await setSandboxMood('well')
  await page.getByRole('button', { name: t['toNumbers'], exact: true }).click()
  await page.getByText(fill(t['left'], { count: '3' }), { exact: true }).waitFor()

  await page.getByRole('button', { name: t['get'], exact: true }).click()
  await page.getByRole('button', { name: t['copyNumber'], exact: true }).waitFor()
  await page.getByRole('button', { name: t['giveNumberBack'], exact: true }).click()
  await page.getByRole('alertdialog').waitFor()
  await seen('numbers-give-back', 'passes')
  await page.getByRole('alertdialog').getByRole('button', { name: t['cancelDo'], exact: true }).click()
  await page.getByText(t['cause_given_back'], { exact: true }).waitFor()
  await seen('numbers-given-back', 'passes')
  await page.getByRole('button', { name: t['toNumbers'], exact: true }).click()
  await page.getByText(fill(t['left'], { count: '3' }), { exact: true }).waitFor()
  expect(await readBalance(member)).toEqual(['5', 0n])

  // The three included with the card are used up: three more cost $0.49 each, and the unused ones are refunded
  await changeSetting(server, 'numbers.included', { standard: 0, pro: 0 })
  await page.reload()
  await page.getByText(t['leftNone'], { exact: true }).waitFor()
  await seen('numbers-none-left', 'passes')
  await page.getByRole('button', { name: fill(t['buyPack'], { count: '3', price: '$1.47' }), exact: true }).click()
  await payDialogFromBalance({ page, look })
  await page.getByText(fill(t['left'], { count: '3' }), { exact: true }).waitFor()
  expect(await readBalance(member)).toEqual(['3.53', 0n])
  await page.getByText('$3.53', { exact: true }).first().waitFor()
  await seen('numbers-pack', 'passes')
  await page.getByRole('button', { name: t['returnPack'], exact: true }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: fill(t['returnDo'], { worth: '$1.47' }), exact: true })
    .click()
  await page.getByText(fill(t['wasReturned'], { amount: '$1.47' }), { exact: true }).waitFor()
  await expect.poll(() => readBalance(member)).toEqual(['5', 0n])
  expect(await db.query(`select state from numbers_sandbox where state = 'open'`)).toEqual([])
  await changeSetting(server, 'numbers.included', { standard: 3, pro: 6 })
  expect(problems).toEqual([])
  await member.context.close()
})

test.each(pickLook())('$width $lang $theme: a mailbox without a password in time costs nothing, is asked for again, and ends', async (look) => {
  const t = mailboxTexts[look.lang]
  const member = await aMember(look)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
  const apply = async (name: string) => {
    await page.getByLabel(t['name'], { exact: true }).fill(name)
    await page.getByRole('button', { name: fill(t['makePaid'], { price: '$0.49' }), exact: true }).click()
    await payDialogFromBalance({ page, look })
    await page.getByText(t['setTitle'], { exact: true }).waitFor()
  }
  const name = `k${Math.random().toString(36).slice(2, 10)}`
  await page.goto(`${server.baseUrl}/email`)
  await page.getByLabel(t['name'], { exact: true }).fill('Admin!')
  await page.getByRole('button', { name: fill(t['makePaid'], { price: '$0.49' }), exact: true }).click()
  await page.getByText(t['nameWrong'], { exact: true }).waitFor()
  await page.getByLabel(t['name'], { exact: true }).fill('support')
  await page.getByRole('button', { name: fill(t['makePaid'], { price: '$0.49' }), exact: true }).click()
  await page.getByText(t['error_MAILBOX_RESERVED'], { exact: true }).waitFor()
  await seen('mailbox-refused', 'passes')
  await apply(name)
  expect(await readBalance(member)).toEqual(['5', 490_000_000n])
  await expireTask(member, 'deadline_at')
  await page.getByText(fill(t['boxCause_no_password'], { minutes: '15' }), { exact: true }).waitFor()
  expect(await readBalance(member)).toEqual(['5', 0n])
  await seen('mailbox-too-late', 'passes')

  await page.getByRole('button', { name: t['boxAgain'], exact: true }).click()
  await payDialogFromBalance({ page, look })
  await page.getByText(t['setTitle'], { exact: true }).waitFor()
  await page.getByLabel(t['boxPassword'], { exact: true }).fill('open sesame 7')
  await page.getByLabel(t['boxConfirm'], { exact: true }).fill('open sesame 8')
  await page.getByRole('button', { name: t['setDo'], exact: true }).click()
  await page.getByText(t['boxConfirmWrong'], { exact: true }).waitFor()
  await page.getByLabel(t['boxConfirm'], { exact: true }).fill('open sesame 7')
  await page.getByRole('button', { name: t['setDo'], exact: true }).click()
  await page.getByText(t['inboxEmpty'], { exact: true }).waitFor()
  await expect.poll(() => readBalance(member)).toEqual(['4.51', 0n])
  await page.getByText('$4.51', { exact: true }).first().waitFor()
  await expireTask(member, 'expires_at')
  await page.getByText(t['boxCause_time_up'], { exact: true }).waitFor()
  await seen('mailbox-ended', 'passes')
  expect(await readBalance(member)).toEqual(['4.51', 0n])

  // Another mailbox is cancelled before it has a password: nothing is charged, and its name is free at once
  await page.getByRole('button', { name: t['newBox'], exact: true }).click()
  await apply(`${name.slice(0, 7)}z`)
  await page.getByRole('button', { name: t['giveUp'], exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t['giveUp'], exact: true }).click()
  await page.getByText(t['boxCause_given_up'], { exact: true }).waitFor()
  await seen('mailbox-given-up', 'passes')
  expect(await readBalance(member)).toEqual(['4.51', 0n])
  expect(problems).toEqual([])
  await member.context.close()
})
