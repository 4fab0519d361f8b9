import { expect, test } from 'vitest'
import { newId } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { drawnLook } from '#platform/testing/browser.ts'
import type { Look } from '#platform/testing/browser.ts'
import { testApp } from '#platform/testing/http.ts'
import { until } from '#platform/testing/patience.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { aCardOrder } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { upgradeTexts } from '#features/upgrade/texts.ts'
import { deskWords, startConsole } from '../../console-server.ts'
import { callPlatform } from '../../visitor.ts'
import { buy } from '../card-visit.ts'
import { aPayer, fund, looking, PIN, setPin, typePin } from '../pay-visit.ts'
import type { Payer } from '../pay-visit.ts'
import { does } from './at-desk.ts'

// A member hands over a payment link; a person at the desk sees the card's number once, in the issuer's window, pays with it, and says so.
const { browser, server, origin, db, deps: keys, at } = await startConsole()
const { deps } = testApp({
  features: [account, cards, identity],
  db,
  overrides: { secretKey: keys.secretKey, secretKeys: keys.secretKeys, publicUrl: () => server.baseUrl },
})
await db.query(`insert into settings (key, value, updated_by) values ('services.hours', '{"from":0,"to":24}', 'test')`)

/** A member with a card that the sandbox's issuer made, and $25.00 on it. */
async function aCarded(look: Look): Promise<Payer & { readonly cardId: string }> {
  const member = await aPayer(browser, server, look)
  await setPin(server, member)
  await aReadyHolder(deps, member.userId)
  const cardId = await aCardOrder(deps, member.userId)
  await fund(server, member, 30_000_000_000n)
  const stateOf = async () => (await db.query<{ state: string }>('select state from cards_cards where id = $1', [cardId]))[0]!.state
  await until(async () => {
    await db.query('update cards_cards set next_check_at = now() where id = $1 and next_check_at > now()', [cardId])
    return (await stateOf()) === 'active' ? true : undefined
  }, 'a card that works')
  const { code, msg } = await callPlatform(
    server,
    'POST',
    '/v1/virtualCard/cardRecharge',
    { cardId, amount: '26', channelType: 5, payPassword: PIN },
    { 'accesstoken': member.token, 'idempotency-key': newId('key') },
  )
  expect([code, msg]).toEqual([200, msg])
  return { ...member, cardId }
}
const kept = (id: string) =>
  db.query<{ left_nano: bigint; used: bigint; outcome: string | null }>('select left_nano, used, outcome from cards_task_holds where card_id = $1', [id])

test.each(drawnLook())('$width $lang $theme: nine steps, the queue, a person who sees the card once and pays, the stamp', async (look) => {
  const t = upgradeTexts[look.lang]
  const member = await aCarded(look)
  const { page, problems } = member
  const seen = looking(page, look)
  await page.goto(`${server.baseUrl}/gpt-upgrade`)
  await page.getByRole('heading', { name: t.step_service }).waitFor()
  await seen('upgrade-service')
  await page.getByRole('button', { name: /^ChatGPT/ }).click()
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: t.next, exact: true }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: t.next, exact: true }).click()
  await page.getByLabel(t.account, { exact: true }).fill('ouyang.xw+long.address.of.somebody@fastmail.com')
  await page.getByRole('button', { name: t.accountConfirm, exact: true }).click()
  await page.getByRole('button', { name: t.opened, exact: true }).click()
  // A reload keeps the step; the browser's back button goes one step back
  await page.reload()
  await page.getByRole('heading', { name: t.step_link, exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: t.step_open, exact: true }).waitFor()
  await page.goForward()
  await page.getByLabel(t.payLink, { exact: true }).fill('https://pay.openai.com/c/pay/cs_live_a1B2c3D4e5F6g7H8i9J0')
  await page.getByText(t.link_incomplete, { exact: true }).waitFor()
  await page.getByLabel(t.payLink, { exact: true }).fill('https://pay.openai.com/c/pay/cs_live_a1B2c3D4e5F6g7H8i9J0#fidkdWxOYHwnPyd1blpxYHZxWjA0')
  await seen('upgrade-link', 'passes')
  await page.getByRole('button', { name: t.linkUse, exact: true }).click()
  await page.getByText('$25.00').first().waitFor()
  // the step is kept across a reload
  await page.reload()
  await page.getByText('$25.00').first().waitFor()
  await seen('upgrade-pay')
  await page.getByRole('button', { name: fill(t.enter, { amount: '$20.00' }), exact: true }).click()
  await typePin(page)
  await page.getByRole('list', { name: t.stubs }).waitFor()
  await page.getByRole('button', { name: fill(t.leave, { amount: '$20.00' }), exact: true }).waitFor()
  await seen('upgrade-queue')
  expect(await kept(member.cardId)).toEqual([{ left_nano: 20_000_000_000n, used: 0n, outcome: null }])

  const words = deskWords(look.lang)
  const operator = await anOperator(deps, ['serviceDesk'], { name: 'Zhou Nan' })
  const desk = await at(look, operator)
  const taskId = (await db.query<{ id: string }>(`select id from services_tasks where user_id = $1`, [member.userId]))[0]!.id
  await desk.page.goto(`${origin}/services?open=${taskId}`)
  await desk.page.getByRole('button', { name: `${words('services', 'take')}…`, exact: true }).click()
  const take = desk.page.getByRole('dialog', { name: words('words', 'command_service.take'), exact: true })
  await take.getByText(words('kit', 'noUndoNote').trim()).waitFor()
  await looking(desk.page, look)('upgrade-desk-take')
  await take.getByRole('button', { name: words('words', 'command_service.take'), exact: true }).click()
  await take.waitFor({ state: 'detached' })
  await desk.page.getByRole('button', { name: words('services', 'revealDo'), exact: true }).click()
  await desk.page
    .getByRole('alertdialog')
    .getByRole('button', { name: words('services', 'revealYes'), exact: true })
    .click()
  const rows = desk.page.frameLocator(`iframe[title="${words('services', 'revealFrame')}"]`).locator('.value')
  await rows.first().waitFor()
  const [number = '', expiry = '', cvv = ''] = await rows.allTextContents()
  expect(number.replaceAll(' ', '')).toMatch(/^\d{16}$/)
  await looking(desk.page, look)('upgrade-desk-reveal', 'passes')
  // the desk's page itself knows nothing of it
  expect(await desk.page.evaluate('document.documentElement.outerHTML')).not.toMatch(new RegExp(`(?<![\\w.])${number.replaceAll(' ', '').slice(6, 12)}`))
  await page.getByText(t.inHand, { exact: true }).waitFor()
  const holder = { server, context: desk.context, page: desk.page, look, userId: member.userId, seen: async () => {} }
  expect(await buy(holder, { number: number.replaceAll(' ', ''), expiry, cvv }, { shop: 'chatgpt' })).toBe('approved')
  expect((await kept(member.cardId))[0]).toMatchObject({ left_nano: 0n, used: 20_000_000_000n })
  await does(origin, operator.token, 'service.finish', { id: taskId, state: 'done', facts: { receipt: 'in_1Qx OPENAI 20.00' } })
  await page.getByRole('img', { name: t.doneStamp }).waitFor()
  await seen('upgrade-done')
  expect(await kept(member.cardId)).toEqual([{ left_nano: 0n, used: 20_000_000_000n, outcome: 'freed' }])
  expect([problems, desk.problems]).toEqual([[], []])
  await desk.context.close()
  await member.context.close()
})
