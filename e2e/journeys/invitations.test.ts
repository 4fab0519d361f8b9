import { mkdirSync } from 'node:fs'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'
import { pickLook, openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { connect } from '#platform/server/database/db.ts'
import { recordPayer } from '#features/invitations/server/builders.ts'
import { createTestPayments } from '#features/payments/server/builders.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { accountTexts } from '#features/account/texts.ts'
import { invitationTexts } from '#features/invitations/texts.ts'
import { shellTexts } from '#apps/web/texts.ts'
import { withdrawTexts } from '#features/payments/texts-withdraw.ts'
import { callPlatform, fetchMailedCode, registerByHttp } from '../visitor.ts'
import { chooseSignInWay } from './account-visit.ts'
import { aPaidSandboxOrder, aBrowserPayer, createPageCheck, setPayerPin, takeScreenshot, typePayPin } from './pay-visit.ts'
import type { BrowserPayer } from './pay-visit.ts'
import { decodeQr } from './read-qr.ts'

// A referral: the inviter sends a link; the friend sees its discount, signs up with it and pays; both see the outcome.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

test.each(pickLook())('$width $lang $theme: a link is followed, the friend pays less, the reward is seen, ripens and is moved', async (look) => {
  const t = invitationTexts[look.lang]
  const inviter = await aBrowserPayer(browser, server, look)
  const { page, problems } = inviter
  const seen = createPageCheck(page, look)
  await page.goto(`${server.baseUrl}/invite-record`)
  await page.getByText(t['empty'], { exact: true }).waitFor()
  await page.locator('canvas[data-drawn="true"]').waitFor()
  await seen('invitations-empty')
  const { data: before } = await callPlatform(server, 'GET', { path: '/invitation/info', headers: { accesstoken: inviter.token } })
  expect(before.madeCode).toMatch(/^[A-Z]{8}$/)
  expect(await page.getByText(before.inviteCode, { exact: true }).count()).toBeGreaterThan(0)

  // the poster is an image with its own dimensions and more than one colour
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t['poster_save'], exact: true }).click()
  const picture = await (await download).createReadStream()
  const bytes: Buffer[] = []
  for await (const piece of picture) bytes.push(piece as Buffer)
  const png = Buffer.concat(bytes)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([750, 1334])
  expect(png.length).toBeGreaterThan(20_000)

  // the friend's browser: the landing, and the code in the form
  const guest = await openBrowserContext(browser, look)
  await guest.page.goto(`${server.baseUrl}/i/${before.inviteCode}`)
  await guest.page.getByText(before.inviteCode, { exact: true }).waitFor()
  await expect.poll(() => guest.page.getByText('$18.63').count()).toBeGreaterThan(0)
  await createPageCheck(guest.page, look)('invitations-landing')
  await guest.page.getByRole('button', { name: t['land_start'], exact: true }).click()
  expect(await guest.page.getByLabel(accountTexts[look.lang]['auth_invite'], { exact: true }).inputValue()).toBe(before.inviteCode)
  await guest.context.close()

  const friend = await aBrowserPayer(browser, server, look)
  await friend.page.goto(`${server.baseUrl}/invite-record`)
  await friend.page.getByLabel(t['give_label']).fill(before.inviteCode.toLowerCase())
  await friend.page.getByRole('button', { name: t['give'], exact: true }).click()
  await friend.page.getByLabel(t['give_label']).waitFor({ state: 'detached' })
  await aPaidSandboxOrder(server, friend, { amount: '20' })
  expect((await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: friend.token } })).data).toMatchObject({
    balance: '20',
    granted: '2',
  })
  expect(friend.problems).toEqual([])
  await friend.context.close()

  // The friend uses this machine and paid at once: two signals whose sum is below the threshold that holds a reward.
  const info = async () => (await callPlatform(server, 'GET', { path: '/invitation/info', headers: { accesstoken: inviter.token } })).data
  await expect.poll(async () => (await info()).pendingAmount).toBe('2')
  await page.reload()
  await page.getByText(t['state_pending'], { exact: true }).first().waitFor()
  await seen('invitations-pending')
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(`update invitations_rewards set available_at = now() where inviter_id = $1`, [inviter.userId])
  await db.close()
  await expect.poll(async () => (await info()).withdrawableAmount).toBe('2')
  await page.reload()
  await page.getByRole('button', { name: t['move'], exact: true }).click()
  await page.getByRole('button', { name: t['move_yes'], exact: true }).click()
  await page.getByText(fill(t['moved'], { amount: '$2.00' }), { exact: true }).waitFor()
  await page.getByText(t['state_paid'], { exact: true }).waitFor()
  expect((await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: inviter.token } })).data).toMatchObject({
    balance: '2',
    granted: '2',
  })
  if (look.width > 720) expect(await page.getByRole('link', { name: shellTexts[look.lang]['invite'], exact: true }).getAttribute('aria-current')).toBe('page')
  expect(problems).toEqual([])
  await inviter.context.close()
})

const infoOf = async ({ token }: Pick<BrowserPayer, 'token'>) =>
  (await callPlatform(server, 'GET', { path: '/invitation/info', headers: { accesstoken: token } })).data

test.each(pickLook())('$width $lang $theme: brought by the poster’s QR code, by a code that was told, refused, taken back, withdrawn', async (look) => {
  const t = invitationTexts[look.lang]
  const inviter = await aBrowserPayer(browser, server, look)
  const { page, problems } = inviter
  const seen = createPageCheck(page, look)
  onTestFailed(() => takeScreenshot(page, `invitations-failed-${look.width}`).then(() => undefined))
  const { link, inviteCode } = await infoOf(inviter)
  await page.goto(`${server.baseUrl}/invite-record`)
  await page.locator('canvas[data-drawn="true"]').waitFor()
  const scanned = await scanPoster(page)
  expect(scanned).toBe(link)

  // one friend scans the poster, one types the code
  await signUp(look, scanned, async (dialog, a) => expect(await dialog.getByLabel(a['auth_invite'], { exact: true }).inputValue()).toBe(inviteCode))
  await signUp(look, `${server.baseUrl}/`, async (dialog, a) => {
    await dialog.getByRole('button', { name: a['auth_invite_have'], exact: true }).click()
    await dialog.getByLabel(a['auth_invite'], { exact: true }).fill(inviteCode.toLowerCase())
  })
  await expect.poll(async () => (await infoOf(inviter)).totalNumber).toBe(2)

  // a friend who pays with the inviter's own account earns no reward, and the page says why
  await aPaidSandboxOrder(server, inviter, { amount: '20', paidBy: `ann-${inviter.userId}` })
  await aPaidSandboxOrder(server, await registerByHttp(server, inviteCode), { amount: '20', paidBy: `ann-${inviter.userId}` })
  const honest = await registerByHttp(server, inviteCode)
  const orderNo = await aPaidSandboxOrder(server, honest, { amount: '20' })
  await expect.poll(async () => (await infoOf(inviter)).pendingAmount).toBe('2')
  await page.reload()
  await page.getByText(t['state_refused'], { exact: true }).waitFor()
  await page.getByText(t['why_refused'], { exact: true }).waitFor()
  await seen('invitations-refused')

  // the reward is available, then the friend's payment is refunded
  await passFourteenDays(inviter)
  await expect.poll(async () => (await infoOf(inviter)).withdrawableAmount).toBe('2')
  await refundFriend(orderNo, honest.token)
  await expect.poll(async () => (await infoOf(inviter)).withdrawableAmount).toBe('0')
  await page.reload()
  await page.getByText(t['state_clawed_back'], { exact: true }).waitFor()
  await seen('invitations-taken-back')

  await setPayerPin(server, inviter)
  await addHundredDollarFriend(inviter)
  await expect.poll(async () => (await infoOf(inviter)).pendingAmount).toBe('100')
  await passFourteenDays(inviter)
  await expect.poll(async () => (await infoOf(inviter)).withdrawableAmount).toBe('100')
  await openRewardWithdrawal(inviter, look, seen)
  await expect.poll(async () => (await infoOf(inviter)).withdrawableAmount).toBe('0')
  await page.goto(`${server.baseUrl}/invite-record`)
  await page.getByText(t['state_paid'], { exact: true }).waitFor()
  await seen('invitations-withdrawn')
  expect(problems).toEqual([])
  await inviter.context.close()
})

/** Decodes the QR code on the rendered poster. */
async function scanPoster(page: BrowserPayer['page']): Promise<string> {
  const dark = await page.evaluate<string>(
    `[...document.querySelector('canvas[data-drawn]').getContext('2d').getImageData(104, 941, 204, 204).data].filter((_, n) => n % 4 === 0).map((red) => (red < 128 ? 1 : 0)).join('')`,
  )
  return decodeQr((x, y) => dark[Math.floor(y * 204) * 204 + Math.floor(x * 204)] === '1')
}

/** Registers by mail in a separate browser context. */
async function signUp(
  look: PageLook,
  url: string,
  code: (dialog: ReturnType<BrowserPayer['page']['getByRole']>, a: Readonly<Record<TextKeyOf<typeof accountTexts>, string>>) => Promise<unknown>,
): Promise<void> {
  const a = accountTexts[look.lang]
  const { page, context } = await openBrowserContext(browser, look)
  // the link's code is kept even if the sign-in dialog was open before the link was followed
  await page.goto(`${server.baseUrl}/`)
  await page.getByRole('button', { name: a['auth_submit_login'], exact: true }).first().click()
  await chooseSignInWay({ form: page.getByRole('dialog'), a }, 'email')
  await page.getByRole('dialog').getByLabel(a['auth_email'], { exact: true }).fill('somebody@example.com')
  await page.goto(url)
  const dialog = page.getByRole('dialog')
  if (url.includes('/i/')) await page.getByRole('button', { name: invitationTexts[look.lang]['land_start'], exact: true }).click()
  else {
    // after a page load the open dialog reappears
    await dialog.waitFor()
    await dialog.getByRole('button', { name: a['auth_to_register'], exact: true }).click()
  }
  const email = `friend-${Math.random().toString(36).slice(2, 10)}@example.com`
  await chooseSignInWay({ form: dialog, a }, 'email')
  await dialog.getByLabel(a['auth_email'], { exact: true }).fill(email)
  for (const field of [0, 1]) await dialog.locator('input[autocomplete="new-password"]').nth(field).fill('Correct horse battery 7')
  await code(dialog, a)
  await dialog.getByRole('button', { name: a['auth_code_send'] }).click()
  await dialog
    .locator('input[autocomplete="one-time-code"]')
    .first()
    .fill(await fetchMailedCode(server, email))
  await page.waitForURL('**/api**')
  await context.close()
}

/** Makes the pending reward available, as after fourteen days. */
async function passFourteenDays({ userId }: BrowserPayer): Promise<void> {
  const db = connect(server.databaseUrl, { max: 1 })
  await db.query(`update invitations_rewards set available_at = now() where inviter_id = $1 and state = 'pending'`, [userId])
  await db.close()
}

/** Refunds the friend's payment, as an operator would. */
async function refundFriend(orderNo: string, token: string): Promise<void> {
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })
  const db = connect(server.databaseUrl, { max: 1, asOwner: true })
  await createTestPayments(db).refund(orderNo, 18_000_000_000n)
  await db.query(`insert into outbox (event, payload) values ('invitation.related', $1)`, [JSON.stringify({ userId: data.id })])
  await db.close()
}

/** Adds a friend from the past, under rules that paid a hundred dollars: enough to withdraw. */
async function addHundredDollarFriend(inviter: BrowserPayer): Promise<void> {
  const { data } = await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: (await registerByHttp(server)).token } })
  const db = connect(server.databaseUrl, { max: 1, asOwner: true })
  await db.query(
    `with rule as (insert into invitations_rules select (max(version) over () + 1), '2025-01-01', 100000000000, discount_nano, threshold_nano, hold_days, keep_days,
        inviter_cap_nano, programme_cap_nano, withdraw_min_nano, null, null, null, 'test', now() from invitations_rules order by version desc limit 1 returning version),
      brought as (insert into invitations_relations (invitee_id, inviter_id, code, way, rule_version, in_cycle)
        select $1, $2, (select code from invitations_codes where user_id = $2 limit 1), 'signup', version, false from rule returning invitee_id)
    select 1 from brought`,
    [data.id, inviter.userId],
  )
  await recordPayer(db, data.id)
  await createTestPayments(db).pay(data.id, 20_000_000_000n)
  await db.query(`insert into outbox (event, payload) values ('invitation.related', $1)`, [JSON.stringify({ userId: data.id, inviterId: inviter.userId })])
  await db.close()
}

/** Opens the rewards' withdrawal from the withdrawal dialog, which offers both. */
async function openRewardWithdrawal({ page }: BrowserPayer, look: PageLook, seen: (name: string) => Promise<void>): Promise<void> {
  const [t, w] = [invitationTexts[look.lang], withdrawTexts[look.lang]]
  await page.goto(`${server.baseUrl}/withdrawals`)
  await page.getByRole('button', { name: w['withdraw'], exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: new RegExp(`^${w['withdraw_from_rewards']}`) }).click()
  await seen('withdraw-choice')
  await dialog.getByRole('link', { name: w['withdraw_rewards_go'], exact: true }).click()
  await dialog.getByLabel(t['pay_alipay'], { exact: true }).waitFor()
  await dialog.getByRole('button', { name: fill(t['withdraw_send'], { amount: '$100.00' }), exact: true }).click()
  await dialog.getByText(t['pay_alipay_bad'], { exact: true }).waitFor()
  await seen('reward-withdraw-form')
  await dialog.getByLabel(t['pay_alipay'], { exact: true }).fill('wang@example.com')
  await dialog.getByLabel(t['pay_name'], { exact: true }).fill('王小明')
  await dialog.getByLabel(t['pay_identity'], { exact: true }).fill('11010519491231002x')
  await dialog.getByRole('button', { name: fill(t['withdraw_send'], { amount: '$100.00' }), exact: true }).click()
  await typePayPin(page)
  await dialog.getByText(fill(t['withdraw_done'], { amount: '$100.00' }), { exact: true }).waitFor()
  await seen('reward-withdraw-done')
}
