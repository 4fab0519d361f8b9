import { expect, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { drawnLook } from '#platform/testing/browser.ts'
import { testApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { registrationTexts } from '#features/registration/texts.ts'
import { deskWords, startConsole } from '../../console-server.ts'
import { callPlatform } from '../../visitor.ts'
import { payFromBalance } from '../card-visit.ts'
import { aPayer, fund, looking, setPin } from '../pay-visit.ts'
import { does } from './at-desk.ts'

// A member gives an address and a password; a person at the desk sees both for a minute, fails once, is asked again, and says that it is done.
const { browser, server, origin, db, deps: keys, at } = await startConsole()
const { deps } = testApp({ features: [account], db, overrides: { secretKey: keys.secretKey, secretKeys: keys.secretKeys, publicUrl: () => server.baseUrl } })
await db.query(`insert into settings (key, value, updated_by) values ('services.hours', '{"from":0,"to":24}', 'test')`)
const ACCOUNT = 'ouyang.xw+long.address.of.somebody@fastmail.com'
const PASSWORD = 'correct horse & <b>battery</b>'

test.each(drawnLook())('$width $lang $theme: an address and a password, the desk, a failure that costs nothing, again, done and charged', async (look) => {
  const t = registrationTexts[look.lang]
  const words = deskWords(look.lang)
  const member = await aPayer(browser, server, look)
  await setPin(server, member)
  await fund(server, member, 5_000_000_000n)
  const { page, problems } = member
  const seen = looking(page, look)
  const balance = async () => (await callPlatform(server, 'GET', '/v1/userWrapperApi/balanceInfo', {}, { accesstoken: member.token })).data.balance
  const held = async () =>
    (await db.query<{ held: bigint }>(`select sum(held)::bigint as held from wallet_accounts where owner = $1`, [`user:${member.userId}`]))[0]!.held
  const newest = async () =>
    (await db.query<{ id: string }>(`select id from services_tasks where user_id = $1 order by created_at desc limit 1`, [member.userId]))[0]!.id
  const records = page.getByRole('region', { name: t.regRecords, exact: true })
  const submit = fill(t.regSubmit, { price: '$0.49' })
  const give = async (password: string, again = password) => {
    await page.getByLabel(t.regPassword, { exact: true }).fill(password)
    await page.getByLabel(t.regConfirm, { exact: true }).fill(again)
    await page.getByRole('button', { name: submit, exact: true }).click()
  }

  await page.goto(`${server.baseUrl}/openai-register`)
  await page.getByLabel(t.regEmail, { exact: true }).fill('nobody')
  await give('12345678', '1')
  await page.getByText(t.regEmailWrong, { exact: true }).waitFor()
  await page.getByText(t.regConfirmWrong, { exact: true }).waitFor()
  await seen('registration-wrong')
  await page.getByLabel(t.regEmail, { exact: true }).fill(ACCOUNT)
  await give(PASSWORD)
  await payFromBalance({ page, look })
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  // another tab, and the same one again, know how it stands
  await page.reload()
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  await seen('registration-waiting')
  expect([await balance(), await held()]).toEqual(['5', 490_000_000n])

  const operator = await anOperator(deps, ['serviceDesk'], { name: 'Zhou Nan' })
  const desk = await at(look, operator)
  const first = await newest()
  await desk.page.goto(`${origin}/services?open=${first}`)
  await desk.page.getByRole('button', { name: `${words('services', 'take')}…`, exact: true }).click()
  const take = desk.page.getByRole('dialog', { name: words('words', 'command_service.take'), exact: true })
  await take.getByRole('button', { name: words('words', 'command_service.take'), exact: true }).click()
  await take.waitFor({ state: 'detached' })
  expect(await desk.page.evaluate('document.documentElement.innerText')).not.toContain(PASSWORD)
  await desk.page.getByRole('button', { name: words('services', 'accountDo'), exact: true }).click()
  await desk.page.getByText(PASSWORD, { exact: true }).waitFor()
  await desk.page.getByRole('button', { name: words('services', 'accountPasswordCopy'), exact: true }).click()
  expect(await desk.page.evaluate('navigator.clipboard.readText()')).toBe(PASSWORD)
  await looking(desk.page, look)('registration-desk')
  await desk.page.getByRole('button', { name: words('services', 'accountHide'), exact: true }).click()
  await desk.page.getByText(PASSWORD, { exact: true }).waitFor({ state: 'detached' })
  expect(await db.query(`select target from audit_rows where action = 'registration.revealed'`)).toContainEqual({ target: `service:${first}` })

  // it fails: nothing is charged, and the address is tried again with the password given anew
  await does(origin, operator.token, 'service.finish', { id: first, state: 'failed', cause: 'ip_limit' })
  await page.getByText(t.regCause_ip_limit, { exact: true }).waitFor()
  await records.getByText(t.regState_failed, { exact: true }).first().waitFor()
  expect([await balance(), await held()]).toEqual(['5', 0n])
  await seen('registration-failed')
  expect(await db.query('select 1 from registration_secrets')).toEqual([])
  await give(PASSWORD)
  await payFromBalance({ page, look })
  await page.getByText(t.regFirst, { exact: true }).waitFor()
  const second = await newest()
  await does(origin, operator.token, 'service.take', { id: second })
  await does(origin, operator.token, 'service.finish', { id: second, state: 'success' })
  await page.getByRole('img', { name: t.regState_success }).waitFor()
  await records.getByText(t.regState_success, { exact: true }).first().waitFor()
  await page.getByText('$4.51', { exact: true }).first().waitFor()
  await seen('registration-done')
  expect([await balance(), await held()]).toEqual(['4.51', 0n])
  expect([problems, desk.problems]).toEqual([[], []])
  await desk.context.close()
  await member.context.close()
})
