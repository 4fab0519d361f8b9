import { scaleTimeout } from '#platform/testing/patience.ts'
import type { Page } from 'playwright-core'
import { shellTexts } from '#apps/web/texts.ts'
import { computeFigure } from '../oracle/figures.ts'
import { parseOracleNano } from '../oracle/price.ts'
import { findWrongWords } from '../oracle/violation.ts'
import type { Robot } from '../acts/act.ts'
import type { PersonWindow } from './window.ts'
import { LANGS } from '#platform/shared/languages.ts'

/** Resolves when the page has no pending requests or rendering. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: scaleTimeout(1_000) }).catch(() => undefined)
  await page
    .locator('.skeleton')
    .first()
    .waitFor({ state: 'detached', timeout: scaleTimeout(20_000) })
    .catch(() => undefined)
}

/** Checks the rules for every page. */
export async function inspectPage(robot: Robot, { page, takeProblems }: PersonWindow): Promise<void> {
  await waitUntilSettled(page)
  const where = new URL(page.url()).pathname.replaceAll(/[A-Z]?\d{8}-[0-9A-Z]{12}|\w{3,5}_[0-9A-Za-z]{16,26}/g, '…')
  const report = (rule: string, seen: string, expected: string): void => robot.report({ rule, subject: where, seen, expected })
  for (const problem of takeProblems()) report('no error in the console', problem.slice(0, 300), 'silence')
  const text: string = await page.locator('body').innerText()
  for (const one of findWrongWords(removeCode(text, await page.locator('code, pre, kbd').allInnerTexts()), where)) robot.report(one)
  const heading = await page
    .locator('h1')
    .first()
    .innerText({ timeout: 2_000 })
    .catch(() => '')
  if (CRASHED.includes(heading)) report('no error page', heading, 'the page')
  const wide: number = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  if (wide > 0) report('nothing sticks out', `${wide} px at ${robot.person.width}`, '0 px')
  await checkFigures(robot, page, where)
  await checkSentences(robot, text, where)
}

/** Removes intended program text from a page's text. */
const removeCode = (text: string, code: readonly string[]): string =>
  code.toSorted((a, b) => b.length - a.length).reduce((rest, one) => (one ? rest.replaceAll(one, '') : rest), text)

const CRASHED: readonly string[] = LANGS.map((lang) => shellTexts[lang].errorTitle)

/** Maximum reads of a figure that differs from the books, because money may be moving. */
const MAX_FIGURE_READS = 4

/** Compares elements that name their figure with the oracle's own. */
async function checkFigures(robot: Robot, page: Page, where: string): Promise<void> {
  const read = (): Promise<{ name: string; text: string; at: number }[]> =>
    page.evaluate(`(() => { const counted = {}; return [...document.querySelectorAll('[data-figure]')].filter((one) => one.checkVisibility()).map((one) => {
      const name = one.dataset.figure; counted[name] = (counted[name] ?? -1) + 1; return { name, text: one.innerText, at: counted[name] } }) })()`)
  for (let look = 1; ; look++) {
    const wrong: { name: string; text: string; expected: string }[] = []
    for (const { name, text, at } of await read()) {
      const expected = await computeFigure(robot, name, at)
      if (expected !== undefined && !showsAmount(text, expected)) wrong.push({ name, text, expected })
    }
    if (!wrong.length) return
    if (look === MAX_FIGURE_READS) {
      for (const { name, text, expected } of wrong)
        robot.report({ rule: 'a figure on a page is the books’', subject: `${where} ${name}`, seen: text, expected })
      return
    }
    await page.waitForTimeout(scaleTimeout(500))
    await page.reload()
    await waitUntilSettled(page)
  }
}

/** True if a text shows the amount, truncated or rounded to its decimals. */
export function showsAmount(text: string, amount: string): boolean {
  const [, sign = '', digits] = /([-−+]?)\s*\$\s*([\d,]+(?:\.\d+)?)/.exec(text.replaceAll(/\s+(?=[\d.])/g, '')) ?? []
  if (digits === undefined) return false
  const shown = parseOracleNano(digits.replaceAll(',', ''))
  const real = parseOracleNano(amount)
  const size = real < 0n ? -real : real
  const places = digits.split('.')[1]?.length ?? 0
  const unit = 10n ** BigInt(9 - Math.min(9, places))
  if (sign !== '' && sign !== '+' && real > 0n) return false
  return shown <= size + unit && shown >= size - unit
}

/** Checks that "Paid $x" is the price of one of this person's orders, and that "taken back $x" appears only for a chargeback. */
async function checkSentences(robot: Robot, text: string, where: string): Promise<void> {
  const sums = [...text.matchAll(/(?:已支付|(?<![\w-])Paid)[\s:：]*\$([\d,]+\.\d{2})(?!\d)/g)].map(([, sum]) => sum!.replaceAll(',', ''))
  if (sums.length) {
    const orders = await robot.product.db.query<{ totalNano: bigint; amountNano: bigint }>(
      'select total_nano, amount_nano from payments_orders where user_id = $1',
      [robot.memory.userId],
    )
    const known = new Set(orders.flatMap(({ totalNano: total, amountNano: amount }) => [total, amount]))
    for (const sum of sums)
      if (!known.has(parseOracleNano(sum)))
        robot.report({
          rule: 'what the page says was paid was paid',
          subject: where,
          seen: `paid $${sum}`,
          expected: orders.map(({ totalNano: total }) => String(total)).join(', '),
        })
  }
  const [, before, after] = /(?:已扣回|[Tt]aken back)[\s:：]*[-−]?\$([\d,]+\.\d{2})|\$([\d,]+\.\d{2}) taken back/.exec(text) ?? []
  const back = before ?? after
  if (back === undefined) return
  const [row] = await robot.product.db.query<{ clawed: bigint }>(
    'select coalesce(sum(d.clawed_nano), 0)::bigint as clawed from payments_disputes d join payments_orders o on o.id = d.order_id where o.user_id = $1',
    [robot.memory.userId],
  )
  if (parseOracleNano(back.replaceAll(',', '')) !== row!.clawed)
    robot.report({ rule: 'taken back means a chargeback', subject: where, seen: `$${back} taken back`, expected: String(row!.clawed) })
}
