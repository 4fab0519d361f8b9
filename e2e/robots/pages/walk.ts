import type { Page } from 'playwright-core'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { inspectPage, waitUntilSettled } from './inspect.ts'
import type { PersonWindow } from './window.ts'
import type { Robot } from '../acts/act.ts'
import type { SeededRandom } from '../people/random.ts'

/** Opens the home page, the only address that a person types. */
export async function openHomePage({ product }: Robot, { page }: PersonWindow): Promise<void> {
  if (page.url().startsWith(product.siteUrl)) return
  await page.goto(`${product.siteUrl}/`)
  await waitUntilSettled(page)
}

const SHOWN_LINKS = `[...document.querySelectorAll('a[href^="/"]')].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && one.target !== '_blank' && !one.hasAttribute('download')).map((one) => one.getAttribute('href'))`

/** Addresses of this site that links on the page lead to now. */
export const listLinks = (page: Page): Promise<string[]> => page.evaluate(SHOWN_LINKS)

/** Buttons that open a menu: everything that says so itself. */
const OPENERS = 'header button[aria-haspopup], header button[aria-expanded], aside button[aria-expanded="false"], nav button[aria-haspopup]'

/** The desk's panel has no ways to pages, and stays open over what is below it. */
const NO_MENU = /客服|Support/

/** A dialog over the link is closed first. */
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

/** Follows links until a page with this path is open: those on the page, those in its menus, then those of pages that lead to many others. */
export async function walkToPath(robot: Robot, window: PersonWindow, path: RegExp): Promise<boolean> {
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

/** An address without its language. */
const stripLanguage = (href: string): string => href.replace(/^\/en(?=\/|$)/, '') || '/'

/** Follows a link of the page that is open. */
export async function followPageLink({ page }: PersonWindow, path: RegExp): Promise<boolean> {
  const href = await waitForLink(page, path)
  if (!href || !(await press(page, href))) return false
  await waitUntilSettled(page)
  return true
}

/** Pages with ways to many others, the likeliest first. */
const HUBS = ['/api?tab=rechargeRecord', '/api', '/card', '/service', '/orders', '/account', '/help', '/pricing', '/']

/** A link on the page or in one of its menus, which stays open. */
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

/** A link that comes with what the page still fetches. */
async function waitForLink(page: Page, path: RegExp): Promise<string | undefined> {
  for (let tries = 0; tries < 4; tries++) {
    const found = (await listLinks(page)).find((href) => path.test(stripLanguage(href)))
    if (found) return found
    await page.waitForTimeout(scaleTimeout(500))
  }
  return undefined
}

/** So many links, whichever they are; each page is looked at. */
export async function followRandomLinks(robot: Robot, window: PersonWindow, random: SeededRandom, hops: number): Promise<string[]> {
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
