import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** WCAG 2.2 AA and axe's best practices. */
export const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const

export const formatAxeViolation = (rule: string, places: readonly string[]): string => `${rule}: ${places.slice(0, 3).join(' | ')}`

/** Caches parsed colours: a page has few, and parsing them again for each element takes a tenth of axe's time. axe-core comes with the builder. */
const COLOURS_ONCE = `
{
  const { Color } = axe.commons.color
  const read = Color.prototype.parseString
  const known = new Map()
  Color.prototype.parseString = function (text) {
    const before = known.get(text)
    if (before) [this.r, this.g, this.b, this.alpha] = before
    else known.set(text, (({ r, g, b, alpha }) => [r, g, b, alpha])(read.call(this, text)))
    return this
  }
}`
let source: string | undefined
const loadAxeSource = (): string => {
  const builder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
  return (source ??= readFileSync(builder.resolve('axe-core/axe.min.js'), 'utf8') + COLOURS_ONCE)
}

/**
 * Runs axe in the page. Skips content behind an open dialog, which is unreachable and was checked when it was in front, and any header, footer or
 * navigation that is unchanged since axe passed it, ignoring React's generated ids.
 */
const AXE_SCRIPT = `(async (fine, within) => {
  // A partly covered target has its full size once it is scrolled into view.
  const stillSmall = async (places) => {
    const [x, y] = [scrollX, scrollY]
    const left = []
    for (const place of places) {
      const target = document.querySelector(place)
      target?.scrollIntoView({ block: 'center', behavior: 'instant' })
      const again = target ? await axe.run(target, { resultTypes: ['violations'], runOnly: { type: 'rule', values: ['target-size'] } }) : { violations: [1] }
      if (again.violations.length > 0) left.push(place)
    }
    scrollTo({ left: x, top: y, behavior: 'instant' })
    return left
  }
  const digest = (text) => {
    let [one, other] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
      other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
    }
    return [text.length, one, other].join()
  }
  const { className, dataset, lang } = document.documentElement
  const around = []
  for (const one of document.querySelectorAll('header, footer, aside, nav')) {
    if (one.closest('main, dialog, [role="dialog"]') || one.parentElement.closest('header, footer, aside, nav')) continue
    const place = one.getBoundingClientRect()
    around.push({ one, as: digest([innerWidth, className, dataset.theme, lang, place.width, place.height, one.outerHTML.replace(/_r_\\w+_/g, '')].join()) })
  }
  const behind = [...document.querySelectorAll('[data-base-ui-inert]')]
  const exclude = [...behind, ...around.filter(({ as }) => fine.includes(as)).map(({ one }) => one)]
  const { violations } = await axe.run({ include: [within ? document.querySelector(within) : document], exclude }, { resultTypes: ['violations'], runOnly: ${JSON.stringify(AXE_RULES)} })
  const found = violations.map(({ id, nodes }) => ({ id, places: nodes.map(({ target }) => target.join(' ')) }))
  const small = found.find(({ id }) => id === 'target-size')
  if (small) small.places = await stillSmall(small.places)
  return {
    violations: found.filter(({ places }) => places.length > 0),
    around: within || behind.length > 0 ? [] : around.map(({ as }) => as),
  }
})`

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly places: readonly string[] }[]
  /** Digests of the current headers, footers and navigation around the main content. */
  readonly around: readonly string[]
}

/** Digests of the surroundings that have passed in this process. */
const passedDigests = new Set<string>()

/** Waits for running animations, because axe would read colours in mid-transition; endless ones are ignored. */
const SETTLE_SCRIPT = `Promise.race([
  new Promise((done) => setTimeout(done, 5_000)),
  Promise.allSettled(document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime < Infinity).map((one) => one.finished)),
]).then(() => undefined)`

/** `within`: selector of a layer that covers the rest, such as an open menu. */
export async function runAxeInPage(page: Page, within?: string): Promise<string[]> {
  await page.evaluate(SETTLE_SCRIPT)
  // Kept on the document, so that later runs skip reading and compiling it.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(loadAxeSource())
  const { violations, around } = await page.evaluate<AxeResult>(`${AXE_SCRIPT}(${JSON.stringify([...passedDigests])}, ${JSON.stringify(within ?? '')})`)
  if (violations.length === 0) for (const one of around) passedDigests.add(one)
  return violations.map(({ id, places }) => formatAxeViolation(id, places))
}
