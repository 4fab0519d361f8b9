import { expect, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { pickLook } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { readCopiedText } from '#platform/testing/browsing/copied-text.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { registrationTexts } from '#features/registration/texts.ts'
import { createDeskTranslator, startConsoleServer } from '../../console-server.ts'
import { callPlatform } from '../../visitor.ts'
import { payDialogFromBalance } from '../card-steps.ts'
import { aBrowserPayer, fundPayer, createPageCheck, setPayerPin, changeSetting, CHECKS_EVERY_STEP } from '../pay-visit.ts'
import type { BrowserPayer } from '../pay-visit.ts'
import { runDeskCommand } from './desk-command.ts'

// A member submits an address and a password. An operator sees both for a minute, fails once, gets the retry, and reports success; then a
// supplier handles it, and fails in each way: only completed work is charged.
const { browser, server, origin, db, deps: keys, at } = await startConsoleServer()
const { deps } = createTestApp({
  features: [account],
  db,
  overrides: { secretKey: keys.secretKey, secretKeys: keys.secretKeys, publicUrl: () => server.baseUrl },
})
await db.query(`insert into settings (key, value, updated_by) values ('services.hours', '{"from":0,"to":24}', 'test')`)
const ACCOUNT = 'ouyang.xw+long.address.of.somebody@fastmail.com'
/** One reason that allows a retry and one that does not; all of them with `npm run e2e`. */
const REFUSED = CHECKS_EVERY_STEP ? (['ip_limit', 'mailbox_refused', 'account_exists', 'code_missing'] as const) : (['ip_limit', 'account_exists'] as const)
const PASSWORD = 'correct horse & <b>battery</b>'

const balance = async ({ token }: BrowserPayer) =>
  (await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: token } })).data.balance
const selectHeld = async ({ userId }: BrowserPayer) =>
  (await db.query<{ held: bigint }>(`select sum(held)::bigint as held from wallet_accounts where owner = $1`, [`user:${userId}`]))[0]!.held
const selectNewestTask = async ({ userId }: BrowserPayer) =>
  (await db.query<{ id: string }>(`select id from services_tasks where user_id = $1 order by created_at desc limit 1`, [userId]))[0]!.id
/** Types the password into each field that requires it, and submits the form. */
async function submitPassword(
  { page }: BrowserPayer,
  { lang }: PageLook,
  { password, again = password }: { readonly password: string; readonly again?: string },
): Promise<void> {
  const t = registrationTexts[lang]
  await page.getByLabel(t.regPassword, { exact: true }).fill(password)
  await page.getByLabel(t.regConfirm, { exact: true }).fill(again)
  await page.getByRole('button', { name: fill(t.regSubmit, { price: '$0.49' }), exact: true }).click()
}

test.each(pickLook())('$width $lang $theme: an address and a password, the desk, a failure that costs nothing, again, done and charged', async (look) => {
  const t = registrationTexts[look.lang]
  const words = createDeskTranslator(look.lang)
  const member = await aBrowserPayer(browser, server, look)
  await setPayerPin(server, member)
  await fundPayer(server, member, 5_000_000_000n)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
  const records = page.getByRole('region', { name: t.regRecords, exact: true })

  await page.goto(`${server.baseUrl}/openai-register`)
  await page.getByLabel(t.regEmail, { exact: true }).fill('nobody')
  await submitPassword(member, look, { password: '12345678', again: '1' })
  await page.getByText(t.regEmailWrong, { exact: true }).waitFor()
  await page.getByText(t.regConfirmWrong, { exact: true }).waitFor()
  await seen('registration-wrong', 'passes')
  await page.getByLabel(t.regEmail, { exact: true }).fill(ACCOUNT)
  await submitPassword(member, look, { password: PASSWORD })
  await payDialogFromBalance({ page, look })
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  // another tab, and a reload, show the current state
  await page.reload()
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  await seen('registration-waiting')
  expect([await balance(member), await selectHeld(member)]).toEqual(['5', 490_000_000n])

  const operator = await anOperator(deps, ['serviceDesk'], { name: 'Zhou Nan' })
  const desk = await at(look, operator)
  const first = await selectNewestTask(member)
  await desk.page.goto(`${origin}/services?open=${first}`)
  await desk.page.getByRole('button', { name: `${words('services', 'take')}…`, exact: true }).click()
  const take = desk.page.getByRole('dialog', { name: words('words', 'command_service.take'), exact: true })
  await take.getByRole('button', { name: words('words', 'command_service.take'), exact: true }).click()
  await take.waitFor({ state: 'detached' })
  expect(await desk.page.evaluate('document.documentElement.innerText')).not.toContain(PASSWORD)
  await desk.page.getByRole('button', { name: words('services', 'accountDo'), exact: true }).click()
  await desk.page.getByText(PASSWORD, { exact: true }).waitFor()
  await desk.page.getByRole('button', { name: words('services', 'accountPasswordCopy'), exact: true }).click()
  expect(await readCopiedText(desk.page)).toBe(PASSWORD)
  await createPageCheck(desk.page, look)('registration-desk')
  await desk.page.getByRole('button', { name: words('services', 'accountHide'), exact: true }).click()
  await desk.page.getByText(PASSWORD, { exact: true }).waitFor({ state: 'detached' })
  expect(await db.query(`select target from audit_rows where action = 'registration.revealed'`)).toContainEqual({ target: `service:${first}` })

  // a failure charges nothing, and a retry uses the same address with the stored password
  await runDeskCommand(origin, operator.token, { name: 'service.finish', input: { id: first, state: 'failed', cause: 'ip_limit' } })
  await page.getByText(t.regCause_ip_limit, { exact: true }).waitFor()
  await records.getByText(t.regState_failed, { exact: true }).first().waitFor()
  expect([await balance(member), await selectHeld(member)]).toEqual(['5', 0n])
  await seen('registration-failed')
  await expect.poll(() => db.query('select 1 from registration_secrets where forget_at is null')).toEqual([])
  await page.getByRole('button', { name: t.regOtherPassword, exact: true }).waitFor()
  await page.getByRole('button', { name: fill(t.regSubmit, { price: '$0.49' }), exact: true }).click()
  await payDialogFromBalance({ page, look })
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  const second = await selectNewestTask(member)
  await runDeskCommand(origin, operator.token, { name: 'service.take', input: { id: second } })
  await runDeskCommand(origin, operator.token, { name: 'service.finish', input: { id: second, state: 'success' } })
  await page.getByRole('img', { name: t.regState_success }).waitFor()
  await records.getByText(t.regState_success, { exact: true }).first().waitFor()
  await page.getByText('$4.51', { exact: true }).first().waitFor()
  await seen('registration-done')
  expect([await balance(member), await selectHeld(member)]).toEqual(['4.51', 0n])
  expect([problems, desk.problems]).toEqual([[], []])
  await desk.context.close()
  await member.context.close()
})

test.each(pickLook())('$width $lang $theme: a supplier does it, refuses it in each of its ways, and is too late', async (look) => {
  const t = registrationTexts[look.lang]
  await changeSetting(server, 'registration.supplier', 'sandbox')
  const member = await aBrowserPayer(browser, server, look)
  await setPayerPin(server, member)
  await fundPayer(server, member, 5_000_000_000n)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
  const records = page.getByRole('region', { name: t.regRecords, exact: true })
  const ask = async (fault: string, address: string) => {
    await changeSetting(server, 'registration.sandbox_fault', fault)
    await page.goto(`${server.baseUrl}/openai-register`)
    const other = page.getByRole('button', { name: t.regNew, exact: true })
    await page.getByLabel(t.regPassword, { exact: true }).or(other).first().waitFor()
    if (await other.isVisible()) await other.click()
    await page.getByLabel(t.regEmail, { exact: true }).fill(address)
    await submitPassword(member, look, { password: PASSWORD })
    await payDialogFromBalance({ page, look })
  }

  // The registration takes a while: the hold stays open, and the page learns of the result by itself
  await ask('slow', 'slow@fastmail.com')
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  expect([await balance(member), await selectHeld(member)]).toEqual(['5', 490_000_000n])
  await page.getByRole('img', { name: t.regState_success }).waitFor()
  await records.getByText(t.regState_success, { exact: true }).first().waitFor()
  expect([await balance(member), await selectHeld(member)]).toEqual(['4.51', 0n])
  await seen('registration-supplier-done')

  for (const fault of REFUSED) {
    await ask(fault, `${fault}@fastmail.com`)
    await page.getByText(t[`regCause_${fault}`], { exact: true }).waitFor()
    // A retry with the same address is offered only if it can succeed
    const mayTry = fault === 'ip_limit' || fault === 'code_missing'
    expect([fault, await page.getByRole('heading', { name: t.regAgain, exact: true }).count()]).toEqual([fault, mayTry ? 1 : 0])
    expect([fault, await balance(member), await selectHeld(member)]).toEqual([fault, '4.51', 0n])
    await seen(`registration-supplier-${fault}`)
  }

  // The supplier never finishes: the task expires here, and a later result costs the member nothing
  await ask('late', 'late@fastmail.com')
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  const late = await selectNewestTask(member)
  await expect.poll(async () => (await db.query(`select 1 from services_tasks where id = $1 and state = 'sent'`, [late])).length).toBe(1)
  await db.query(`update services_tasks set deadline_at = clock_timestamp(), next_check_at = clock_timestamp() where id = $1`, [late])
  await page.getByText(t.regCause_too_late, { exact: true }).waitFor()
  await records.getByText(t.regState_failed, { exact: true }).nth(REFUSED.length).waitFor()
  expect([await balance(member), await selectHeld(member)]).toEqual(['4.51', 0n])
  await expect.poll(() => db.query(`select target from audit_rows where action = 'registration.came_late'`)).toContainEqual({ target: `service:${late}` })
  await expect.poll(() => db.query('select 1 from registration_secrets where forget_at is null')).toEqual([])
  expect(problems).toEqual([])
  await member.context.close()
})
