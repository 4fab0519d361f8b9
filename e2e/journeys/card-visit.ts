import type { BrowserContext, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { PATIENCE_MS, waitForValue } from '#platform/testing/patience.ts'
import type { ServerAddress } from '#platform/testing/server.ts'
import { billTexts } from '#features/cards/texts-bills.ts'
import { cardTexts } from '#features/cards/texts.ts'
import { noticeTexts } from '#features/payments/texts-notice.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { payAndCloseCashier, typePayPin } from './pay-visit.ts'

/** A user whose card opening is paid for, in the browser that they paid in. */
export interface CardVisit {
  readonly server: ServerAddress
  readonly context: BrowserContext
  readonly page: Page
  readonly look: PageLook
  readonly userId: string
  readonly seen: (name: string) => Promise<void>
}

/** Card details from the issuer's frame. */
export interface VisibleCardDigits {
  readonly number: string
  readonly expiry: string
  readonly cvv: string
}

/** Pays what the payment dialog asks for at the sandbox's cashier, by Alipay. */
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
    // paid, with the way on; it is gone by itself after a top-up alone
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

/** The number in the issuer's own window, after the payment password. */
export async function readCardDigits({ page, look, seen }: CardVisit): Promise<VisibleCardDigits> {
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

/** Buys in the issuer's shop, in a window of its own; a code that the shop asks for is read on the card's page. Says what the receipt says. */
export async function buyInIssuerShop({ context, page, server }: CardVisit, digits: VisibleCardDigits, { shop, how, sum }: Purchase): Promise<string> {
  const counter = await context.newPage()
  await counter.goto(`${server.baseUrl}/sandbox/shop`)
  // earlier purchases have forms of their own below
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

/** The month's statement as it is saved. */
export async function downloadStatement({ page, look, seen }: CardVisit): Promise<Buffer> {
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

/** Runs `work` on the database as its owner, to play operators and the passage of time. */
export async function withOwnerDb<T>({ server }: Pick<CardVisit, 'server'>, work: (db: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const db = connect(server.databaseUrl, { max: 1, asOwner: true })
  return work(db).finally(() => db.close())
}

/** The member's cards by the server, newest first. */
export const selectMemberCards = (holder: CardVisit) =>
  withOwnerDb(holder, (db) =>
    db.query<{ id: string; state: string; last4: string; frozen_by: string | null }>(
      'select id, state, last4, frozen_by from cards_cards where user_id = $1 order by created_at desc',
      [holder.userId],
    ),
  )

/** Waits until the newest card is as it should be, and shows it. */
export async function waitForNewestCard(
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

/** Everything that a page keeps and shows, frames of others left out. */
export const readPageContents = (on: Page | Frame): Promise<string> =>
  on.evaluate<string>('[document.documentElement.outerHTML, document.title, JSON.stringify({ ...localStorage, ...sessionStorage })].join("\\n")')
