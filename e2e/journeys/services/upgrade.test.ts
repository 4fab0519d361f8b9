import { expect, test } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import { pickLook } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { account } from '#features/account/server/index.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { aCardOrder } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { upgradeTexts } from '#features/upgrade/texts.ts'
import { createDeskTranslator, startConsoleServer } from '../../console-server.ts'
import { callPlatform } from '../../visitor.ts'
import { buyInIssuerShop } from '../card-steps.ts'
import { aBrowserPayer, fundPayer, createPageCheck, PAYER_PIN, setPayerPin, typePayPin } from '../pay-visit.ts'
import type { BrowserPayer } from '../pay-visit.ts'
import { runDeskCommand } from './desk-command.ts'

// A member submits a payment link; an operator sees the card's number once, in the issuer's window, pays with it, and reports success.
const { browser, server, origin, db, deps: keys, at } = await startConsoleServer()
const { deps } = createTestApp({
  features: [account, cards, identity],
  db,
  overrides: { secretKey: keys.secretKey, secretKeys: keys.secretKeys, publicUrl: () => server.baseUrl },
})
await db.query(`insert into settings (key, value, updated_by) values ('services.hours', '{"from":0,"to":24}', 'test')`)

/** A member with a card that the sandbox's issuer made, and $25.00 on it. */
async function aCardMember(look: PageLook): Promise<BrowserPayer & { readonly cardId: string }> {
  const member = await aBrowserPayer(browser, server, look)
  await setPayerPin(server, member)
  await aReadyHolder(deps, member.userId)
  const cardId = await aCardOrder(deps, member.userId)
  await fundPayer(server, member, 30_000_000_000n)
  const stateOf = async () => (await db.query<{ state: string }>('select state from cards_cards where id = $1', [cardId]))[0]!.state
  await waitForValue(async () => {
    await db.query('update cards_cards set next_check_at = now() where id = $1 and next_check_at > now()', [cardId])
    return (await stateOf()) === 'active' ? true : undefined
  }, 'a card that works')
  const { code, msg } = await callPlatform(server, 'POST', {
    path: '/v1/virtualCard/cardRecharge',
    input: { cardId, amount: '26', channelType: 5, payPassword: PAYER_PIN },
    headers: { 'accesstoken': member.token, 'idempotency-key': createId('key') },
  })
  expect([code, msg]).toEqual([200, msg])
  return { ...member, cardId }
}
const selectTaskHolds = (id: string) =>
  db.query<{ leftNano: bigint; used: bigint; outcome: string | null }>('select left_nano, used, outcome from cards_task_holds where card_id = $1', [id])

test.each(pickLook())('$width $lang $theme: nine steps, the queue, a person who sees the card once and pays, the stamp', async (look) => {
  const t = upgradeTexts[look.lang]
  const member = await aCardMember(look)
  const { page, problems } = member
  const seen = createPageCheck(page, look)
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
  await typePayPin(page)
  await page.getByRole('list', { name: t.stubs }).waitFor()
  await page.getByRole('button', { name: fill(t.leave, { amount: '$20.00' }), exact: true }).waitFor()
  await seen('upgrade-queue')
  expect(await selectTaskHolds(member.cardId)).toEqual([{ leftNano: 20_000_000_000n, used: 0n, outcome: null }])

  const words = createDeskTranslator(look.lang)
  const operator = await anOperator(deps, ['serviceDesk'], { name: 'Zhou Nan' })
  const desk = await at(look, operator)
  const taskId = (await db.query<{ id: string }>(`select id from services_tasks where user_id = $1`, [member.userId]))[0]!.id
  await desk.page.goto(`${origin}/services?open=${taskId}`)
  await desk.page.getByRole('button', { name: `${words('services', 'take')}…`, exact: true }).click()
  const take = desk.page.getByRole('dialog', { name: words('words', 'command_service.take'), exact: true })
  await take.getByText(words('kit', 'noUndoNote').trim()).waitFor()
  await createPageCheck(desk.page, look)('upgrade-desk-take')
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
  await createPageCheck(desk.page, look)('upgrade-desk-reveal', 'passes')
  // the desk's own page does not contain the number
  expect(await desk.page.evaluate('document.documentElement.outerHTML')).not.toMatch(new RegExp(`(?<![\\w.])${number.replaceAll(' ', '').slice(6, 12)}`))
  await page.getByText(t.inHand, { exact: true }).waitFor()
  const holder = { server, context: desk.context, page: desk.page, look, userId: member.userId, seen: async () => {} }
  expect(await buyInIssuerShop(holder, { number: number.replaceAll(' ', ''), expiry, cvv }, { shop: 'chatgpt' })).toBe('approved')
  expect((await selectTaskHolds(member.cardId))[0]).toMatchObject({ leftNano: 0n, used: 20_000_000_000n })
  await runDeskCommand(origin, operator.token, { name: 'service.finish', input: { id: taskId, state: 'done', facts: { receipt: 'in_1Qx OPENAI 20.00' } } })
  await page.getByRole('img', { name: t.doneStamp }).waitFor()
  await seen('upgrade-done')
  expect(await selectTaskHolds(member.cardId)).toEqual([{ leftNano: 0n, used: 20_000_000_000n, outcome: 'freed' }])
  expect([problems, desk.problems]).toEqual([[], []])
  await desk.context.close()
  await member.context.close()
})
