import { scaleTimeout } from '#platform/testing/patience.ts'
import type { SeededRandom } from '../people/random.ts'
import { openingTexts } from '#features/cards/web/opening/texts.ts'
import type { RobotAct, Robot } from '../acts/act.ts'
import { passIdentification } from '../acts/opening.ts'
import { ensureBalance } from '../acts/paying.ts'
import { ensurePin } from '../acts/signing-up.ts'
import { inspectPage, showsAmount, waitUntilSettled } from './inspect.ts'
import { followPageLink, walkToPath, followRandomLinks } from './walk.ts'
import type { PersonWindow } from './window.ts'

async function lookAtPages(robot: Robot, random: SeededRandom): Promise<string> {
  const window = await robot.window!()
  return (await followRandomLinks(robot, window, random, 5)).join(' ')
}

/** Lists that always have a link, and what a row of them leads to where there is one. */
const MONEY_PAGES: readonly (readonly [list: RegExp, one?: RegExp])[] = [
  [/^\/api(\?tab=view|$)/],
  [/^\/api\?tab=rechargeRecord/],
  [/^\/orders$/, /^\/orders\/\d/],
  [/^\/withdrawals$/, /^\/withdrawals\/W/],
  [/^\/card(\?|$)/],
]

const pathOf = ({ page }: PersonWindow): string => page.url().slice(new URL(page.url()).origin.length)

/** The overview, the money pages and whatever the newest row leads to. */
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

/** Opens a card with the mouse: the face check on this device, the payment from the balance, the page that says what was paid. */
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

/** The price of a Pro card stands on the table of prices; where cards are bought it must be a choice, not a word. */
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

/** Presses until the vendor's page is there: faults of the vendor are planted twice at most, by several people at once. */
const MAX_FACE_ATTEMPTS = 10

async function passFaceOnPages({ person }: Robot, { page }: PersonWindow): Promise<boolean> {
  const t = openingTexts[person.lang]
  // overlays opened on the way here may cover the button
  await page.keyboard.press('Escape')
  const start = page.getByRole('button', { name: t.face_start, exact: true })
  const here = person.width === 1440 ? page.getByRole('link', { name: t.face_here }) : page.getByRole('button', { name: t.face_open, exact: true })
  const passed = page.locator('button[value="passed"]')
  const away = page.getByRole('alert')
  // a vendor that is away says so, and the button stays
  for (let tries = 0; tries < MAX_FACE_ATTEMPTS && !(await passed.isVisible()); tries++) {
    await waitUntilSettled(page)
    // on a phone the start itself leads to the vendor's page
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
  // The clock of all robots may have moved beyond the check's end; the page then offers another one.
  const isOver = await again.isVisible()
  await page.getByRole('link', { name: t.face_go_on }).or(again).first().click()
  return isOver && left > 1 ? passFace(robot, window, left - 1) : true
}

/** Pays from the balance. False where a dispute or a debt took it meanwhile; else it must be offered. */
async function payInDialog(robot: Robot, { page }: PersonWindow, price: number): Promise<boolean> {
  const { client, person } = robot
  const dialog = page.getByRole('dialog')
  const balance = dialog.locator('label').filter({ hasText: person.lang === 'zh' ? '余额' : 'Balance' })
  await dialog.locator('label').first().waitFor()
  await waitUntilSettled(page)
  if (!(await balance.first().isVisible()) && Number((await client.get('/v1/userWrapperApi/balanceInfo')).data.available) < price) return false
  await balance.first().click()
  await dialog.locator('button[type=submit]').click()
  const pin = dialog.locator('input[autocomplete="off"][inputmode="numeric"]').first()
  await pin.click()
  await page.keyboard.type(person.pin)
  await dialog.locator('h3[tabindex="-1"]').waitFor()
  return true
}

/** Of people who use pages as well; reached by links alone. */
export const pageActs: readonly RobotAct[] = [
  { name: 'wander through pages', weight: 6, run: lookAtPages },
  { name: 'look at money pages', weight: 5, run: lookAtMoneyPages },
  { name: 'open a card on pages', weight: 3, run: openOnPages },
]
