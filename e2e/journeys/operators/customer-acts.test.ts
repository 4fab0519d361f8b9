import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { runAxe, pickLook, measureOverflow } from '#platform/testing/browser.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { freezeAccount } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { createDeskTranslator, startConsoleServer } from '../../console-server.ts'

// Operators' actions on a customer's page: freeze one function, pause a key, add a note, resend a mail; and set a rate on the inviter's.
const { origin, db, deps, at } = await startConsoleServer()
const WHY = 'the customer called and was asked back'

/** A customer with a verified email address. */
async function aCustomer(): Promise<{ userId: string; email: string }> {
  const userId = createId('usr')
  const email = `${userId.toLowerCase()}@example.com`
  await db.query(`insert into account_users (id, name, created_at) values ($1, 'Ouyang', now())`, [userId])
  await db.query(`insert into account_identities (kind, subject, display, user_id, verified_at, created_at) values ('email', $2, $2, $1, now(), now())`, [
    userId,
    email,
  ])
  return { userId, email }
}

async function checkPage(page: Page, problems: readonly string[]): Promise<void> {
  await expect.poll(() => runAxe(page), { timeout: PATIENCE_MS }).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  expect(problems).toEqual([])
}

test.each(pickLook())('$width $lang $theme: a part is frozen, a key paused, a note written and removed, a mail sent again', async (look) => {
  const t = createDeskTranslator(look.lang)
  const support = await anOperator(deps, ['support'], { name: 'Zhou Nan' })
  const user = await aCustomer()
  await aFundedUser(db, { userId: user.userId })
  const { key } = await aKey(db, user.userId, { name: 'claude-code' })
  await freezeAccount(deps, SYSTEM, { userId: user.userId, reason: 'payee is asked about', scopes: ['money_out'] })
  await db.query(
    `insert into notices_mails (id, dedupe, template, recipient, state, good_until, created_at, ended_at, repeatable, kept)
     values ($2, $1, 'payments.paid', $1, 'sent', now(), now(), now(), true, '\\x00')`,
    [user.email, createId('mail')],
  )
  const { page, context, problems } = await at(look, support)
  const dialog = page.getByRole('dialog')
  const act = (name: string) => dialog.getByRole('button', { name: t('words', name), exact: true })
  const tab = (name: string) => page.getByRole('button', { name: new RegExp(`^${t('customers', name)}`) }).first()
  await page.goto(`${origin}/customers/${user.userId}`)
  await page.getByText(t('customers', 'frozen_money_out'), { exact: true }).first().waitFor()
  // the preview moves the fields when it arrives, so the test waits for it
  const previewed = async (press: () => Promise<void>) => {
    const asked = page.waitForResponse(/\/account\.freeze\/preview$/)
    await press()
    await (await asked).finished()
    await dialog.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
  await previewed(() => page.getByRole('button', { name: `${t('customers', 'freeze')}…`, exact: true }).click())
  await previewed(() => dialog.getByLabel(t('words', 'value_all'), { exact: true }).uncheck())
  await previewed(() => dialog.getByLabel(t('words', 'value_calls'), { exact: true }).check())
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(WHY)
  await checkPage(page, problems)
  await act('command_account.freeze').click()
  await page.getByText(t('customers', 'frozen_calls'), { exact: true }).first().waitFor()

  await page.getByRole('button', { name: t('customers', 'addNote'), exact: true }).click()
  await dialog.getByLabel(t('words', 'field_text'), { exact: true }).fill('<b>Calls</b> in the evening\nnever before six')
  await act('command_customer.note').click()
  await page
    .getByRole('region', { name: t('customers', 'notes'), exact: true })
    .getByText('<b>Calls</b> in the evening')
    .waitFor()
  await checkPage(page, problems)
  await tab('tab_notes').click()
  await page.getByRole('button', { name: `${t('customers', 'remove')}…`, exact: true }).click()
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(WHY)
  await act('command_customer.remove-note').click()
  await page.getByText(t('customers', 'noEntries'), { exact: true }).waitFor()

  await tab('tab_keys').click()
  await page.getByRole('button', { name: `${t('customers', 'pauseKey')}…`, exact: true }).click()
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(WHY)
  await act('command_key.pause').click()
  await page.getByRole('button', { name: `${t('customers', 'resumeKey')}…`, exact: true }).waitFor()
  // the operator, the time and the reason are beside it
  await page
    .getByText(new RegExp(`Zhou Nan.*${WHY}`))
    .first()
    .waitFor()
  expect(await db.query('select paused_by from gateway_keys where key_id = $1', [key.keyId])).toEqual([{ pausedBy: `operator:${support.id}` }])
  await checkPage(page, problems)

  await tab('tab_notices').click()
  await page.getByRole('button', { name: `${t('customers', 'resend')}…`, exact: true }).waitFor()
  await checkPage(page, problems)
  await context.close()
})

test.each(pickLook())('$width $lang $theme: a rate for one inviter waits for a second person', async (look) => {
  const t = createDeskTranslator(look.lang)
  const [owner] = [await anOperator(deps, ['owner'], { name: 'Chen Yu' }), await anOperator(deps, ['owner'])]
  const user = await aCustomer()
  const { page, context, problems } = await at(look, owner)
  await page.goto(`${origin}/risk?open=${user.userId}`)
  await page.getByRole('button', { name: t('services', 'rateAdd'), exact: true }).click()
  await page.getByLabel(t('services', 'rateReward'), { exact: true }).fill('5.25')
  await page.getByLabel(t('services', 'rateUntil'), { exact: true }).fill(toShanghaiDay(new Date(Date.now() + 60 * 86_400_000)))
  await checkPage(page, problems)
  await page.getByRole('button', { name: t('services', 'rateNext'), exact: true }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel(t('kit', 'reason'), { exact: true }).fill(WHY)
  await checkPage(page, problems)
  await dialog.getByRole('button', { name: fill(t('kit', 'sendForApproval'), { act: t('words', 'command_reward.rate') }), exact: true }).click()
  await expect
    .poll(async () => (await db.query<{ state: string }>(`select state from backoffice_commands where subject = $1`, [`user:${user.userId}`]))[0]?.state, {
      timeout: PATIENCE_MS,
    })
    .toBe('waiting')
  await context.close()
})
