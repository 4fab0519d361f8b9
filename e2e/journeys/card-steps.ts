import { expect } from 'vitest'
import { cardTexts } from '#features/cards/texts.ts'
import { billTexts } from '#features/cards/texts-bills.ts'
import { PATIENCE_MS, waitForValue } from '#platform/testing/patience.ts'
import { fundPayer, PAYER_PIN, typePayPin, payAndCloseCashier } from './pay-visit.ts'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { connect } from '#platform/server/database/db.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import type { ServerAddress } from '#platform/testing/server.ts'
import { noticeTexts } from '#features/payments/texts-notice.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'

/** A user whose card opening is paid, in the browser used for the payment. */
interface CardVisit {
  readonly server: ServerAddress
  readonly context: BrowserContext
  readonly page: Page
  readonly look: PageLook
  readonly userId: string
  readonly seen: (name: string) => Promise<void>
}

/** Card details from the issuer's frame. */
interface VisibleCardDigits {
  readonly number: string
  readonly expiry: string
  readonly cvv: string
}

/** Pays the amount of the payment dialog at the sandbox's cashier, by Alipay. */
export async function payAtSandboxCashier({ page, context, look }: Pick<CardVisit, 'page' | 'context' | 'look'>): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator('label', { has: page.locator('img[src$="-1.svg"]') }).click()
  await dialog.locator('button[type=submit]').click()
  if (look.width < 1000) {
    await page.waitForURL(/\/pay-notice|\/sandbox\/pay\//)
    if (page.url().includes('/pay-notice')) {
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: noticeTexts[look.lang].notice_pay, exact: true }).click()
      await page.waitForURL('**/sandbox/pay/**')
    }
    await page.locator('button[value="pay"]').click()
    // the paid state has a link to continue; after a plain top-up the dialog closes by itself
    await page.locator('main a[href^="/open-account"], main a[href^="/card"]').first().waitFor()
    return
  }
  const [cashier] = await Promise.all([context.waitForEvent('page'), dialog.locator('a[target="_blank"]').first().click()])
  await payAndCloseCashier(cashier)
  await closeWhenDone(page)
}

async function closeWhenDone(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator('h3[tabindex="-1"]').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** Pays it from the balance. */
export async function payDialogFromBalance({ page, look }: Pick<CardVisit, 'page' | 'look'>): Promise<void> {
  const words = pageTexts[look.lang]
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('label')
    .filter({ hasText: words['balance_row'].replace('{balance}', '').trim() })
    .click()
  await dialog.locator('button[type=submit]').click()
  await typePayPin(page)
  await closeWhenDone(page)
}

/** Reads the card number in the issuer's own window, after the payment password. */
async function readCardDigits({ page, look, seen }: CardVisit): Promise<VisibleCardDigits> {
  const t = cardTexts[look.lang]
  await page.getByRole('button', { name: t.view, exact: true }).click()
  await typePayPin(page)
  const rows = page.frameLocator(`iframe[title="${t.frameTitle}"]`).locator('.value')
  await rows.first().waitFor()
  const [number = '', expiry = '', cvv = ''] = await rows.allTextContents()
  expect(number.replaceAll(' ', '')).toMatch(/^\d{16}$/)
  await seen('card-shown')
  return { number: number.replaceAll(' ', ''), expiry, cvv }
}

interface Purchase {
  readonly shop: string
  readonly how?: string
  readonly sum?: string
}

/** Buys in the issuer's shop, in a separate window; reads a code that the shop requires on the card's page. Returns the receipt's text. */
export async function buyInIssuerShop({ context, page, server }: CardVisit, digits: VisibleCardDigits, { shop, how, sum }: Purchase): Promise<string> {
  const counter = await context.newPage()
  await counter.goto(`${server.baseUrl}/sandbox/shop`)
  // earlier purchases have their forms further down
  const form = counter.locator('form', { has: counter.locator('button.main') })
  await form.locator(`input[name=shop][value=${shop}]`).check({ force: true })
  for (const name of ['number', 'expiry', 'cvv'] as const) await form.locator(`input[name=${name}]`).fill(digits[name])
  if (sum) await form.locator('input[name=sum]').fill(sum)
  if (how) {
    await form.locator('summary').click()
    await form.locator('select[name=how]').selectOption(how)
  }
  await counter.locator('button.main').click()
  const code = counter.locator('input[name=code]')
  const stamp = counter.locator('.stamp')
  await code.or(stamp).first().waitFor()
  if (await code.count()) {
    await page.bringToFront()
    const shown = page.locator('[role=status] .num.text-28').first()
    await shown.waitFor({ timeout: PATIENCE_MS })
    await code.fill((await shown.textContent())!.trim())
    await counter.locator('button.main').click()
    await stamp.waitFor()
  }
  const said = (await stamp.getAttribute('class'))!.includes('no') ? 'declined' : 'approved'
  await counter.close()
  await page.bringToFront()
  return said
}

/** The month's statement as a saved file. */
async function downloadStatement({ page, look, seen }: CardVisit): Promise<Buffer> {
  const [t, b] = [cardTexts[look.lang], billTexts[look.lang]]
  await page.getByRole('button', { name: t.statement, exact: true }).click()
  const row = page.getByRole('dialog').locator('li').last()
  await row.waitFor()
  await seen('card-papers')
  const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: new RegExp(b.download) }).click()])
  await page.keyboard.press('Escape')
  const parts: Buffer[] = []
  for await (const part of await download.createReadStream()) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts)
}

/** Runs `work` on the database as its owner, to simulate operators and the passage of time. */
async function withOwnerDb<T>({ server }: Pick<CardVisit, 'server'>, work: (db: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const db = connect(server.databaseUrl, { max: 1, asOwner: true })
  return work(db).finally(() => db.close())
}

/** The member's cards as the server returns them, newest first. */
const selectMemberCards = (holder: CardVisit) =>
  withOwnerDb(holder, (db) =>
    db.query<{ id: string; state: string; last4: string; frozenBy: string | null }>(
      'select id, state, last4, frozen_by from cards_cards where user_id = $1 order by created_at desc',
      [holder.userId],
    ),
  )

/** Waits until the newest card meets the condition, and returns it. */
async function waitForNewestCard(
  holder: CardVisit,
  is: (card: Awaited<ReturnType<typeof selectMemberCards>>[number]) => boolean,
  what: string,
): Promise<string> {
  const { id } = await waitForValue(async () => {
    const [card] = await selectMemberCards(holder)
    return card && is(card) ? card : undefined
  }, what)
  await holder.page.goto(`${holder.server.baseUrl}/card?card=${id}`)
  return id
}

/** Everything that a page stores and shows, except the frames of other origins. */
const readPageContents = (on: Page | Frame): Promise<string> =>
  on.evaluate<string>('[document.documentElement.outerHTML, document.title, JSON.stringify({ ...localStorage, ...sessionStorage })].join("\\n")')

const WAIT = { timeout: PATIENCE_MS }

/** Waits until a purchase appears in the list of recent transactions without a reload, and the balance falls. */
export async function expectPurchaseListed(holder: CardVisit, digits: VisibleCardDigits): Promise<void> {
  expect(await buyInIssuerShop(holder, digits, { shop: 'chatgpt' })).toBe('approved')
  await holder.page
    .getByRole('region', { name: billTexts[holder.look.lang].recent })
    .getByText(/OPENAI/i)
    .first()
    .waitFor(WAIT)
}

/** Checks that a paid order in progress is not offered for payment again. */
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

/** Uses the new card: its first recharge through a channel, and its number in the issuer's window. */
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

/** Pays a foreign subscription and reads its bill and statement; the card number appears in none of the platform's replies. */
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
  // in koruna, monthly, with a code that the card's page shows
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

/** Pays orders of types 13, 12, 14, 15 and 7 to their end, then closes the card for good. */
export async function exerciseCardServices(holder: CardVisit, digits: VisibleCardDigits): Promise<void> {
  const { page, look, server, seen } = holder
  const t = cardTexts[look.lang]
  const id = await waitForNewestCard(holder, ({ state }) => state === 'active', 'a card that works')
  // a merchant forces a charge without approval: the card's debt exceeds the loss that we absorb, and no balance can pay it
  expect(await buyInIssuerShop(holder, digits, { shop: 'test', how: 'force', sum: '80' })).toBe('approved')
  await waitForNewestCard(holder, ({ frozenBy }) => frozenBy === 'risk', 'a card that is stopped')
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
