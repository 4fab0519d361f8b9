import { mkdirSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { runAxe, pickLook, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { mockContract } from '#platform/testing/page-mock.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import { accountContract } from '#features/account/contract.ts'
import { payPasswordContract, PAY_RESULT } from '#features/account/contract-pay-password.ts'
import { billTexts } from '#features/cards/texts-bills.ts'
import { cardTexts } from '#features/cards/texts.ts'
import { cardsContract } from '#features/cards/contract.ts'
import { createFakeElements } from '#stand-ins/stripe/issuing/elements.ts'
import { walletContract } from '#features/wallet/contract.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { aCardRow, closedCard, riskFrozenCard, mockCards, nearClosingCard, newCard, failedCard } from './cards-stage.ts'
import type { CardsStage } from './cards-stage.ts'

// My card and its bills as a member sees them; the replies are mocked from the contract.
const SHOTS = 'e2e/.shots'
const NUMBER = '4000003826104829'
let token: string
let me: Record<string, unknown>
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  const visitor = await registerByHttp(server)
  token = visitor.token
  me = (await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: token } })).data
})

const BALANCE = {
  balance: '100.38',
  available: '100.38',
  held: '0',
  granted: '2',
  owed: '0',
  totalRechargeAmount: '100.38',
  totalConsumedAmount: '0',
  fullWithdraw: false,
}

/** The issuer's page: only it contains the digits. */
const FRAME = `<!doctype html><title>issuer</title><p>4000 0038 2610 4829</p><script>parent.postMessage({ mingxi: 'reveal', state: 'shown' }, '*')</script>`

async function openCards(look: PageLook, path: string, { stage = {}, more = {} }: { readonly stage?: CardsStage; readonly more?: {} } = {}) {
  const { context, page, problems } = await openBrowserContext(browser, look, more)
  await seedSession(context, token)
  await page.route('https://issuer.invalid/**', (route) => route.fulfill({ contentType: 'text/html', body: FRAME }))
  await mockContract(page, { info: accountContract.info }, { info: { ...me, existPayPassword: true, password: true } as never })
  await mockContract(page, { verify: payPasswordContract.verifyPayPassword }, { verify: { resultType: PAY_RESULT.success, failCount: 0 } })
  await mockContract(page, { balanceInfo: walletContract.balanceInfo }, { balanceInfo: BALANCE })
  const asked = await mockCards(page, { frameUrl: 'https://issuer.invalid/frame?nonce=once', ...stage })
  await page.goto(`${server.baseUrl}${path}`)
  return { context, page, problems, asked }
}

async function checkPage(page: Page, look: PageLook, name: string) {
  await waitForQuietNetwork(page)
  await page.screenshot({ path: `${SHOTS}/cards-${name}-${look.width}-${look.lang}-${look.theme}.png`, fullPage: true })
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}

async function typePassword(page: Page) {
  const dialog = page.getByRole('dialog', { name: /^(?:输入支付密码|Enter your payment password|Payment password)/ })
  await dialog.locator('input').first().click()
  await page.keyboard.type('246810')
}

/** All content of our own page: the document without its frames, the title, and both storages. */
async function readOwnContents(page: Page, context: BrowserContext) {
  const inPage = await page.evaluate<string>(
    '[document.documentElement.outerHTML, document.title, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })].join("\\n")',
  )
  return inPage + JSON.stringify(await context.cookies())
}

describe.each(pickLook())('my card: $width $lang $theme', (look) => {
  const t = cardTexts[look.lang]
  const b = billTexts[look.lang]

  test('the number comes in the issuer’s frame after the payment password, is nowhere in our page, and goes when the card is frozen', async () => {
    const { context, page, asked } = await openCards(look, '/card')
    await page.getByRole('button', { name: t.view }).click()
    await typePassword(page)
    const frame = page.frameLocator(`iframe[title="${t.frameTitle}"]`)
    await frame.getByText('4000 0038 2610 4829').waitFor()
    expect(asked.calls.filter(({ name }) => name === 'cardPrivacyInfo')).toEqual([{ name: 'cardPrivacyInfo', input: { id: aCardRow().id } }])
    expect((await readOwnContents(page, context)).replaceAll(' ', '')).not.toContain(NUMBER)
    await checkPage(page, look, 'shown')
    await page.keyboard.press('f')
    await page.getByRole('alertdialog').getByRole('button', { name: t.freeze, exact: true }).click()
    await page.getByText(t.frozenBy_user).waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await page.getByRole('button', { name: t.thaw, exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.thaw, exact: true }).click()
    await page.getByRole('button', { name: t.view }).waitFor()
    await context.close()
  })

  test('Stripe’s elements show the fields in frames of Stripe’s for the nonce that this browser made, and none of it is ours', async () => {
    const shown = { issuingCardNumberDisplay: '4000 0038 2610 4829', issuingCardExpiryDisplay: '11/28', issuingCardCvcDisplay: '739' }
    const stripe = createFakeElements('ic_1', shown)
    // this server has no Stripe, so its policy does not allow Stripe's host
    const { context, page } = await openCards(look, '/card', { stage: {}, more: { bypassCSP: true } })
    const headers = { 'access-control-allow-origin': '*' }
    await page.route('https://js.stripe.com/**', (route) => route.fulfill({ ...stripe.answer(route.request().url()), headers }))
    const info = { form: 'elements' as const, script: stripe.script, publishableKey: 'pk_test_1', cardRef: 'ic_1' }
    await mockContract(
      page,
      { reveal: cardsContract.cardPrivacyInfo },
      {
        reveal: ({ nonce }) => ({
          ...info,
          ephemeralKey: nonce === undefined ? '' : stripe.keyFor(nonce),
          expiresTime: new Date(Date.now() + 60_000).toISOString(),
        }),
      },
    )
    await page.getByRole('button', { name: t.view }).click()
    await typePassword(page)
    for (const [type, text] of Object.entries(shown)) await page.frameLocator(`iframe[title="${type}"]`).getByText(text, { exact: true }).waitFor()
    expect((await readOwnContents(page, context)).replaceAll(' ', '')).not.toContain(NUMBER)
    await checkPage(page, look, 'elements')
    await page.keyboard.press('v')
    await page.locator('iframe').first().waitFor({ state: 'detached' })
    await context.close()
  })

  test('leaving the tab masks at once', async () => {
    const { context, page } = await openCards(look, '/card')
    await page.getByRole('button', { name: t.view }).click()
    await typePassword(page)
    await page.locator('iframe').waitFor()
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
    await page.locator('iframe').waitFor({ state: 'detached' })
    await context.close()
  })

  test('a recharge holds to its bounds, is paid from the balance, and a refusal of the issuer is read in its own words', async () => {
    const { context, page, asked } = await openCards(look, '/card?do=recharge')
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByLabel(t.amount, { exact: true })
    await amount.fill('200.01')
    await dialog.getByText(t.tooLarge.replace('{max}', '$200.00')).waitFor()
    await amount.fill('12.5')
    await dialog.locator('input[type="radio"]').first().check({ force: true })
    expect(await dialog.getByText('$12.50').count()).toBeGreaterThan(0)
    await checkPage(page, look, 'recharge')
    await mockContract(page, { cardRecharge: cardsContract.cardRecharge }, { cardRecharge: { refuse: 'ISSUER SAYS NO', code: 2211 } })
    await dialog.getByRole('button', { name: t.rechargeFor.replace('{amount}', '$12.50') }).click()
    await typePassword(page)
    const told = page.getByRole('dialog').filter({ hasText: 'ISSUER SAYS NO' })
    await told.getByRole('button', { name: t.gotIt }).click()
    await told.waitFor({ state: 'detached' })
    // the input stays, and another method is available
    await dialog.locator('input[type="radio"]').last().check({ force: true })
    await dialog.getByRole('button', { name: t.toMethods }).waitFor()
    expect(asked.calls.filter(({ name }) => name === 'cardRecharge')).toEqual([])
    await context.close()
  })

  test('every state shows its meaning and the next step, without an accessibility fault', async () => {
    const states = [
      ['none', [], t.noneTitle],
      ['failed', [failedCard], t.open_reason_name],
      ['first', [newCard], t.firstButton],
      ['near', [nearClosingCard], t.warningAbout_expiring],
      ['risk', [riskFrozenCard], t.frozenBy_risk],
      ['closed', [closedCard], t.closed_refusals],
    ] as const
    for (const [name, cards, text] of states) {
      const { context, page } = await openCards(look, '/card', { stage: { cards } })
      await page.getByText(text, { exact: true }).first().waitFor()
      await checkPage(page, look, name)
      await context.close()
    }
  })

  test('warnings that only inform can be marked as read, and stay so', async () => {
    const { context, page, asked } = await openCards(look, '/card', { stage: { cards: [nearClosingCard] } })
    await page.getByRole('button', { name: t.gotIt }).first().click()
    await page.getByText(t.warningAbout_expiring).waitFor({ state: 'detached' })
    await expect.poll(() => asked.calls).toContainEqual({ name: 'warning', input: { idList: [nearClosingCard.id] } })
    await context.close()
  })

  test('bills: the sum is that of the rows, filters stand in the address, a charge is disputed with words', async () => {
    const { context, page, asked } = await openCards(look, '/bill')
    await page.getByText('JETBRAINS S.R.O.').waitFor()
    await checkPage(page, look, 'bills')
    if (look.width === 1440) {
      const rows = await page.evaluate<{ text: string; isVoid: boolean }[][]>(
        `Array.from(document.querySelectorAll('tbody tr'), (row) => Array.from(row.querySelectorAll('td'), (cell) => ({ text: cell.textContent ?? '', isVoid: cell.querySelector('s') !== null })))`,
      )
      const plain = (text: string) => (text.includes('$') ? text.replace('−', '-').replace(/[$+,]/g, '') : '0')
      const posted = rows.filter((cells) => cells[6]!.text.includes('$'))
      const all = formatUsd(sumNano(posted.flatMap((cells) => [cells[3]!, cells[4]!].map(({ text }) => parseUsd(plain(text))))))
      expect(posted).toHaveLength(7)
      expect(await page.locator('dl').getByText(`+$${all}`).count()).toBe(1)
      expect(rows.filter((cells) => cells[3]!.isVoid)).toHaveLength(3)
      const table = page.locator('main [role="group"]:has(table)')
      for (const width of [1200, 1024, 900, 768, 721]) {
        await page.setViewportSize({ width, height: 900 })
        const isCut = await table.evaluate((one: { scrollWidth: number; clientWidth: number }) => one.scrollWidth > one.clientWidth)
        expect([width, isCut]).toEqual([width, false])
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    await page.getByRole('button', { name: b.status_fail, exact: true }).click()
    await page.waitForURL('**state=fail**')
    await page.getByText('JETBRAINS S.R.O.').waitFor({ state: 'detached' })
    await page.goto(`${server.baseUrl}/bill?bill=bill_0004`)
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: b.dispute, exact: true }).click()
    await sheet.getByRole('button', { name: b.disputeSend, exact: true }).click()
    await sheet.getByText(b.disputeShort.replace('{least}', '20')).waitFor()
    await checkPage(page, look, 'dispute')
    await sheet.getByLabel(b.disputeWords, { exact: true }).fill('Charged on 15 November although I cancelled on the 2nd.')
    await sheet.getByRole('button', { name: b.disputeSend, exact: true }).click()
    await page.getByText(b.disputeSent).first().waitFor()
    await expect
      .poll(() => asked.calls)
      .toContainEqual(expect.objectContaining({ name: 'disputeBill', input: expect.objectContaining({ billId: 'bill_0004', reason: 'not_received' }) }))
    await context.close()
  })
})
