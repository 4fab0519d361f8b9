import { expect } from 'vitest'
import { cardTexts } from '#features/cards/texts.ts'
import { billTexts } from '#features/cards/texts-bills.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import {
  buyInIssuerShop,
  readPageContents,
  withOwnerDb,
  payAtSandboxCashier,
  payDialogFromBalance,
  readCardDigits,
  downloadStatement,
  waitForNewestCard,
} from './card-visit.ts'
import type { VisibleCardDigits, CardVisit } from './card-visit.ts'
import { fundPayer, PAYER_PIN, typePayPin } from './pay-visit.ts'

const WAIT = { timeout: PATIENCE_MS }

/** A purchase appears in the list of recent transactions by itself, and the balance falls. */
export async function expectPurchaseListed(holder: CardVisit, digits: VisibleCardDigits): Promise<void> {
  expect(await buyInIssuerShop(holder, digits, { shop: 'chatgpt' })).toBe('approved')
  await holder.page
    .getByRole('region', { name: billTexts[holder.look.lang].recent })
    .getByText(/OPENAI/i)
    .first()
    .waitFor(WAIT)
}

/** Paid and on its way: the page does not offer it again. */
async function expectPendingRecharge({ page, look }: CardVisit): Promise<void> {
  const t = cardTexts[look.lang]
  await page.route('**/card/rechargeBounds*', async (route) => {
    const reply = await (await route.fetch()).json()
    await route.fulfill({ json: { ...reply, data: { ...reply.data, activationFee: '0' } } })
  })
  await page.reload()
  await page.getByRole('status').getByText(t.firstOnItsWay).waitFor(WAIT)
  expect(await page.getByRole('button', { name: t.firstButton }).count()).toBe(0)
  await page.unroute('**/card/rechargeBounds*')
  await page.reload()
}

/** The card that is made: its first recharge over a channel, and its number in the issuer's window. */
export async function loadFirstCard(holder: CardVisit): Promise<VisibleCardDigits> {
  const { page, look, server, seen } = holder
  const t = cardTexts[look.lang]
  await page.goto(`${server.baseUrl}/card`)
  await page.getByRole('button', { name: t.firstButton }).waitFor(WAIT)
  await seen('card-first')
  await expectPendingRecharge(holder)
  await page.getByRole('button', { name: t.firstButton }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type="radio"]').last().check({ force: true })
  await dialog.getByRole('button', { name: t.toMethods }).click()
  await payAtSandboxCashier(holder)
  await page.goto(`${server.baseUrl}/card`)
  await page.getByText('$25.00').first().waitFor(WAIT)
  await page.reload()
  const digits = await readCardDigits(holder)
  const kept = [await readPageContents(page), JSON.stringify(await holder.context.cookies())].join('\n').replaceAll(' ', '')
  expect(kept).not.toContain(digits.number)
  return digits
}

/** A subscription paid abroad, its bill and its statement; the number is in none of what the platform says meanwhile. */
export async function paySubscriptionAbroad(holder: CardVisit, digits: VisibleCardDigits): Promise<void> {
  const { page, context, look, server, seen } = holder
  const b = billTexts[look.lang]
  const heard: string[] = []
  context.on('response', (reply) => {
    if (reply.url().startsWith(server.baseUrl))
      void reply.text().then(
        (text) => heard.push(text),
        () => undefined,
      )
  })
  // in koruna, each month, with a code that the card's page shows
  expect(await buyInIssuerShop(holder, digits, { shop: 'jetbrains', how: 'monthly' })).toBe('approved')
  await page.goto(`${server.baseUrl}/bill`)
  await page.getByText('JETBRAINS S.R.O.').first().waitFor(WAIT)
  await page.getByText(b.status_success, { exact: true }).first().waitFor(WAIT)
  await seen('card-bills')
  await page.goto(`${server.baseUrl}/card`)
  const paper = await downloadStatement(holder)
  expect(paper.subarray(0, 5).toString()).toBe('%PDF-')
  for (const text of [await readPageContents(page), ...heard, paper.toString('latin1')]) expect(text.replaceAll(' ', '')).not.toContain(digits.number)
}

/** Orders of types 13, 12, 14, 15 and 7, each paid to its end; then the card is closed for good. */
export async function exerciseCardServices(holder: CardVisit, digits: VisibleCardDigits): Promise<void> {
  const { page, look, server, seen } = holder
  const t = cardTexts[look.lang]
  const id = await waitForNewestCard(holder, ({ state }) => state === 'active', 'a card that works')
  // a merchant forces a charge without approval: the card's debt exceeds the loss that we absorb, and no balance can pay it
  expect(await buyInIssuerShop(holder, digits, { shop: 'test', how: 'force', sum: '80' })).toBe('approved')
  await waitForNewestCard(holder, ({ frozen_by }) => frozen_by === 'risk', 'a card that is stopped')
  await page.getByText(t.frozenBy_risk).waitFor(WAIT)
  await seen('card-debt')
  await page.getByRole('button', { name: t.settle, exact: true }).click()
  await payAtSandboxCashier(holder)
  await fundPayer(server, holder, 200_000_000_000n)
  await page.goto(`${server.baseUrl}/card`)
  await page.getByRole('button', { name: t.settle, exact: true }).waitFor({ state: 'detached', ...WAIT })
  await page.getByRole('button', { name: t.thawRisk, exact: true }).click()
  await payDialogFromBalance(holder)
  await page.getByText(t.frozenBy_risk).waitFor({ state: 'detached', ...WAIT })

  await withOwnerDb(holder, (db) => db.query('update cards_cards set must_change = true where id = $1', [id]))
  await page.reload()
  await page.getByRole('button', { name: t.changeNow, exact: true }).click()
  await payDialogFromBalance(holder)
  const next = await waitForNewestCard(holder, (card) => card.id !== id && card.state === 'active', 'the card after it')
  await withOwnerDb(holder, (db) => db.query(`update cards_cards set valid_until = now() + interval '5 days' where id = $1`, [next]))
  await page.reload()
  await page.getByRole('button', { name: t.renew, exact: true }).click()
  await payDialogFromBalance(holder)
  await waitForNewestCard(holder, (card) => card.id !== next && card.state === 'active', 'the renewed card')
  await page.getByRole('button', { name: new RegExp(`^${t.memberRenew.replace('{amount}', '').trim()}`) }).click()
  await payDialogFromBalance(holder)

  await page.getByRole('main').getByRole('button', { name: t.more, exact: true }).click()
  await page.getByRole('menuitem', { name: t.closeCard, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t.closeAgree).check()
  await seen('card-close')
  await dialog.getByRole('button', { name: t.closeCard, exact: true }).click()
  await typePayPin(page, PAYER_PIN)
  await page.getByRole('heading', { name: t.closedTitle }).waitFor(WAIT)
  await seen('card-closed')
}
