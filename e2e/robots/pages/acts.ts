import { scaleTimeout } from '#platform/testing/patience.ts'
import type { SeededRandom } from '../people/random.ts'
import { pageTexts } from '#features/payments/texts-pages.ts'
import { fill } from '#platform/shared/texts.ts'
import { openingTexts } from '#features/cards/web/opening/texts.ts'
import type { RobotAct, Robot } from '../acts/act.ts'
import { passIdentification } from '../acts/opening.ts'
import { ensureBalance } from '../acts/paying.ts'
import { ensurePin } from '../acts/signing-up.ts'
import { inspectPage, showsAmount, waitUntilSettled } from './inspect.ts'
import type { PersonWindow } from './window.ts'
import type { Page } from 'playwright-core'
import { LANGUAGES, readPathLang, DEFAULT_LANG } from '#platform/shared/languages.ts'

/** Opens the home page, the only URL that is entered directly. */
async function openHomePage({ product }: Robot, { page }: PersonWindow): Promise<void> {
  if (page.url().startsWith(product.siteUrl)) return
  await page.goto(`${product.siteUrl}/`)
  await waitUntilSettled(page)
}

const SHOWN_LINKS = `[...document.querySelectorAll('a[href^="/"]')].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && one.target !== '_blank' && !one.hasAttribute('download')).map((one) => one.getAttribute('href'))`

/** Paths on this site that the page currently links to. */
const listLinks = (page: Page): Promise<string[]> => page.evaluate(SHOWN_LINKS)

/** Buttons that open a menu, by their ARIA attribute. */
const OPENERS = 'header button[aria-haspopup], header button[aria-expanded], aside button[aria-expanded="false"], nav button[aria-haspopup]'

/** The support panel has no links to pages, and stays open above the content below it. */
const NO_MENU = /客服|Support/

/** Presses a link; closes a dialog that covers it first. */
async function press(page: Page, href: string): Promise<boolean> {
  const link = page.locator(`a[href="${href}"]`).filter({ visible: true }).first()
  const click = (): Promise<boolean> =>
    link.click({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  if (await click()) return true
  await page.keyboard.press('Escape')
  return click()
}

/** Follows links until a page with this path is open: links on the page, in its menus, and then on hub pages. */
async function walkToPath(robot: Robot, window: PersonWindow, path: RegExp): Promise<boolean> {
  const { page } = window
  await openHomePage(robot, window)
  const isThere = (): boolean => path.test(stripLanguage(new URL(page.url()).pathname) + new URL(page.url()).search)
  const left = [...HUBS]
  while (!isThere()) {
    const direct = await findLink(page, path, true)
    if (direct && (await press(page, direct))) {
      await waitUntilSettled(page)
      if (isThere()) return true
    }
    const links = await listLinks(page)
    const at = left.findIndex((hub) => links.some((href) => stripLanguage(href) === hub))
    if (at < 0) return false
    const [hub] = left.splice(at, 1)
    if (
      await press(
        page,
        links.find((href) => stripLanguage(href) === hub)!,
      )
    )
      await waitUntilSettled(page)
  }
  return true
}

/** Removes the language prefix of a path. */
const stripLanguage = (href: string): string => href.slice(LANGUAGES[readPathLang(href) ?? DEFAULT_LANG].path.length) || '/'

/** Follows a link of the current page. */
async function followPageLink({ page }: PersonWindow, path: RegExp): Promise<boolean> {
  const href = await waitForLink(page, path)
  if (!href || !(await press(page, href))) return false
  await waitUntilSettled(page)
  return true
}

/** Pages with many links, the most likely first. */
const HUBS = ['/api?tab=rechargeRecord', '/api', '/card', '/service', '/orders', '/account', '/help', '/pricing', '/']

/** Finds a link on the page or in one of its menus, which stays open. */
async function findLink(page: Page, path: RegExp, waits = false): Promise<string | undefined> {
  const onPage = waits ? await waitForLink(page, path) : (await listLinks(page)).find((href) => path.test(stripLanguage(href)))
  if (onPage) return onPage
  const openers = page.locator(OPENERS).filter({ hasNotText: NO_MENU })
  for (let at = 0; at < (await openers.count()); at++) {
    const opener = openers.nth(at)
    if (!(await opener.isVisible())) continue
    await opener.click({ timeout: 3_000 }).catch(() => undefined)
    await page.waitForTimeout(300)
    const inMenu = (await listLinks(page)).find((href) => path.test(stripLanguage(href)))
    if (inMenu) return inMenu
    await page.keyboard.press('Escape')
  }
  return undefined
}

/** Waits for a link that appears after the page has loaded its data. */
async function waitForLink(page: Page, path: RegExp): Promise<string | undefined> {
  for (let tries = 0; tries < 4; tries++) {
    const found = (await listLinks(page)).find((href) => path.test(stripLanguage(href)))
    if (found) return found
    await page.waitForTimeout(scaleTimeout(500))
  }
  return undefined
}

/** Follows a number of random links and inspects each page. */
async function followRandomLinks(
  robot: Robot,
  window: PersonWindow,
  { random, hops }: { readonly random: SeededRandom; readonly hops: number },
): Promise<string[]> {
  const { page } = window
  await openHomePage(robot, window)
  const been: string[] = []
  for (let hop = 0; hop < hops; hop++) {
    const all = (await listLinks(page)).filter((href) => !/^\/(sandbox|docs\/|dev|login)/.test(href))
    const menus = page.locator(OPENERS).filter({ hasNotText: NO_MENU })
    if (!all.length || random.percent(25)) {
      const count = await menus.count()
      if (count)
        await menus
          .nth(random.int(0, count - 1))
          .click({ timeout: 3_000 })
          .catch(() => undefined)
    }
    const links = (await listLinks(page)).filter((href) => !/^\/(sandbox|docs\/|dev|login)/.test(href))
    if (!links.length) break
    const href = random.pick(links)
    if (!(await press(page, href))) continue
    been.push(href)
    await inspectPage(robot, window)
  }
  return been
}

async function lookAtPages(robot: Robot, random: SeededRandom): Promise<string> {
  const window = await robot.window!()
  return (await followRandomLinks(robot, window, { random, hops: 5 })).join(' ')
}

/** Lists that are always linked, and the detail pages that their rows lead to, if any. */
const MONEY_PAGES: readonly (readonly [list: RegExp, one?: RegExp])[] = [
  [/^\/api(\?tab=view|$)/],
  [/^\/api\?tab=rechargeRecord/],
  [/^\/orders$/, /^\/orders\/\d/],
  [/^\/withdrawals$/, /^\/withdrawals\/W/],
  [/^\/card(\?|$)/],
]

const pathOf = ({ page }: PersonWindow): string => page.url().slice(new URL(page.url()).origin.length)

/** Visits the overview, the money pages and the page of the newest row of each list. */
export async function lookAtMoneyPages(robot: Robot): Promise<string> {
  const window = await robot.window!()
  const been: string[] = []
  for (const [list, one] of MONEY_PAGES) {
    if (!(await walkToPath(robot, window, list))) {
      robot.report({ rule: 'what is advertised is reached by links', subject: 'money pages', seen: `at ${pathOf(window)}`, expected: `a link to ${list}` })
      continue
    }
    do {
      await inspectPage(robot, window)
      been.push(pathOf(window))
    } while (one !== undefined && !one.test(been.at(-1)!) && (await followPageLink(window, one)))
  }
  return been.join(' ')
}

/** Opens a card with the mouse: the face check on this device, the payment from the balance, the confirmation page. */
async function openOnPages(robot: Robot, random: SeededRandom): Promise<string> {
  const { client, person, report } = robot
  const t = openingTexts[person.lang]
  const step = await passIdentification(robot, random, { untilFace: true })
  if (step !== 'face' && step !== 'payment') return step
  const { data: prices } = await client.get('/common/cardAmount')
  await ensurePin(robot)
  await ensureBalance(robot, random, 25)
  const window = await robot.window!()
  const { page } = window
  if (!(await walkToPath(robot, window, /^\/open-account/))) {
    report({ rule: 'what is advertised is reached by links', subject: 'opening a card', seen: new URL(page.url()).pathname, expected: 'a link to the opening' })
    return 'no way there'
  }
  await inspectPage(robot, window)
  if (step === 'face' && !(await passFace(robot, window))) return 'no face'
  await waitUntilSettled(page)
  const pay = page.getByRole('button', { name: new RegExp(`${t.pay_button.split('$')[0]!.trim()}\\s*\\$`) }).first()
  if (
    !(await pay.waitFor({ timeout: scaleTimeout(15_000) }).then(
      () => true,
      () => false,
    ))
  )
    return `no button to pay: ${await page.locator('h1').first().innerText()}`
  await checkProPrice(robot, window, prices.proCard)
  await pay.click()
  if (!(await payInDialog(robot, window, Number(prices.openAccount)))) return 'the balance is gone meanwhile'
  await inspectPage(robot, window)
  await page.keyboard.press('Escape')
  await inspectPage(robot, window)
  return new URL(page.url()).pathname
}

/** Checks that the price of a Pro card, which the price table lists, is a selectable option on the purchase page, not plain text. */
async function checkProPrice({ report }: Robot, { page }: PersonWindow, price: string): Promise<void> {
  const choices = page
    .locator('main')
    .locator('a[href*="type=pro"], label, [role="radio"], button')
    .filter({ hasText: /\bPro\b/ })
    .filter({ visible: true })
  const texts = await choices.allInnerTexts()
  const shown = texts.some((text) => [...text.matchAll(/\$[\d,.]+/g)].some(([sum]) => showsAmount(sum, price)))
  if (!shown)
    report({
      rule: 'what is advertised is reached by links',
      subject: 'the Pro card',
      seen: texts.length ? `a choice without its price: ${texts.join(' | ')}` : 'no choice of it where cards are bought',
      expected: `Pro, $${price}`,
    })
}

/** Maximum presses until the vendor's page opens: several robots in parallel plant at most two faults of the vendor each. */
const MAX_FACE_ATTEMPTS = 10

async function passFaceOnPages({ person }: Robot, { page }: PersonWindow): Promise<boolean> {
  const t = openingTexts[person.lang]
  // overlays that were opened earlier may cover the button
  await page.keyboard.press('Escape')
  const start = page.getByRole('button', { name: t.face_start, exact: true })
  const here = person.width === 1440 ? page.getByRole('link', { name: t.face_here }) : page.getByRole('button', { name: t.face_open, exact: true })
  const passed = page.locator('button[value="passed"]')
  const away = page.getByRole('alert')
  // if the vendor is unavailable, the page says so and keeps the button
  for (let tries = 0; tries < MAX_FACE_ATTEMPTS && !(await passed.isVisible()); tries++) {
    await waitUntilSettled(page)
    // on a phone the start button leads directly to the vendor's page
    if (await start.isVisible()) await start.click()
    else if (await here.isVisible()) await here.click()
    await passed
      .or(here)
      .or(away)
      .first()
      .waitFor({ timeout: scaleTimeout(10_000) })
      .catch(() => undefined)
  }
  if (!(await passed.isVisible())) return false
  await passed.click()
  return true
}

async function passFace(robot: Robot, window: PersonWindow, left = 3): Promise<boolean> {
  const { page } = window
  if (!(await passFaceOnPages(robot, window))) return false
  const t = openingTexts[robot.person.lang]
  const isBack = await page
    .waitForURL((url) => url.href.startsWith(robot.product.siteUrl) && !url.pathname.startsWith('/sandbox'), { timeout: scaleTimeout(10_000) })
    .then(
      () => true,
      () => false,
    )
  if (!isBack)
    robot.report({
      rule: 'a button does what it says',
      subject: 'the face check',
      seen: `still at ${new URL(page.url()).origin}; ${window.takeProblems().join(' ').slice(0, 300)}`,
      expected: 'back on the site',
    })
  if (!isBack) return false
  await inspectPage(robot, window)
  const again = page.getByRole('link', { name: t.face_again, exact: true })
  await page.getByRole('link', { name: t.face_go_on }).or(again).first().waitFor()
  // The robots' shared clock may have moved past the check's expiry; the page then offers another check.
  const isOver = await again.isVisible()
  await page.getByRole('link', { name: t.face_go_on }).or(again).first().click()
  return isOver && left > 1 ? passFace(robot, window, left - 1) : true
}

/** Pays from the balance, which must be offered. False if a refund, a dispute or a debt used up the balance meanwhile. */
async function payInDialog(robot: Robot, { page }: PersonWindow, price: number): Promise<boolean> {
  const { client, person } = robot
  const dialog = page.getByRole('dialog')
  const balance = dialog
    .locator('label')
    .filter({ hasText: fill(pageTexts[person.lang].balance_row, { balance: '' }).trim() })
    .first()
  await dialog.locator('label').first().waitFor()
  await waitUntilSettled(page)
  const isOffered = (await balance.isVisible()) && (await balance.locator('input').isEnabled())
  if (!isOffered && Number((await client.get('/v1/userWrapperApi/balanceInfo')).data.available) < price) return false
  await balance.click()
  await dialog.locator('button[type=submit]').click()
  const pin = dialog.locator('input[autocomplete="off"][inputmode="numeric"]').first()
  await pin.click()
  await page.keyboard.type(person.pin)
  await dialog.locator('h3[tabindex="-1"]').waitFor()
  return true
}

/** Acts of people who also use pages; all pages are reached through links. */
export const pageActs: readonly RobotAct[] = [
  { name: 'wander through pages', weight: 6, run: lookAtPages },
  { name: 'look at money pages', weight: 5, run: lookAtMoneyPages },
  { name: 'open a card on pages', weight: 3, run: openOnPages },
]
