import type { Page } from 'playwright-core'
import { patient } from '#platform/testing/patience.ts'
import { inspect, settled } from './inspect.ts'
import type { Window } from './window.ts'
import type { Robot } from '../acts/act.ts'
import type { Random } from '../people/random.ts'

/** Opens the home page, the only address that a person types. */
export async function goHome({ product }: Robot, { page }: Window): Promise<void> {
  if (page.url().startsWith(product.siteUrl)) return
  await page.goto(`${product.siteUrl}/`)
  await settled(page)
}

const SHOWN_LINKS = `[...document.querySelectorAll('a[href^="/"]')].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && one.target !== '_blank' && !one.hasAttribute('download')).map((one) => one.getAttribute('href'))`

/** Addresses of this site that links on the page lead to now. */
export const linksOn = (page: Page): Promise<string[]> => page.evaluate(SHOWN_LINKS)

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
export async function walkTo(robot: Robot, window: Window, path: RegExp): Promise<boolean> {
  const { page } = window
  await goHome(robot, window)
  const isThere = (): boolean => path.test(plain(new URL(page.url()).pathname) + new URL(page.url()).search)
  const left = [...HUBS]
  while (!isThere()) {
    const direct = await findLink(page, path, true)
    if (direct && (await press(page, direct))) {
      await settled(page)
      if (isThere()) return true
    }
    const links = await linksOn(page)
    const at = left.findIndex((hub) => links.some((href) => plain(href) === hub))
    if (at < 0) return false
    const [hub] = left.splice(at, 1)
    if (
      await press(
        page,
        links.find((href) => plain(href) === hub)!,
      )
    )
      await settled(page)
  }
  return true
}

/** An address without its language. */
const plain = (href: string): string => href.replace(/^\/en(?=\/|$)/, '') || '/'

/** Follows a link of the page that is open. */
export async function follow({ page }: Window, path: RegExp): Promise<boolean> {
  const href = await soon(page, path)
  if (!href || !(await press(page, href))) return false
  await settled(page)
  return true
}

/** Pages with ways to many others, the likeliest first. */
const HUBS = ['/api?tab=rechargeRecord', '/api', '/card', '/service', '/orders', '/account', '/help', '/pricing', '/']

/** A link on the page or in one of its menus, which stays open. */
async function findLink(page: Page, path: RegExp, waits = false): Promise<string | undefined> {
  const onPage = waits ? await soon(page, path) : (await linksOn(page)).find((href) => path.test(plain(href)))
  if (onPage) return onPage
  const openers = page.locator(OPENERS).filter({ hasNotText: NO_MENU })
  for (let at = 0; at < (await openers.count()); at++) {
    const opener = openers.nth(at)
    if (!(await opener.isVisible())) continue
    await opener.click({ timeout: 3_000 }).catch(() => undefined)
    await page.waitForTimeout(300)
    const inMenu = (await linksOn(page)).find((href) => path.test(plain(href)))
    if (inMenu) return inMenu
    await page.keyboard.press('Escape')
  }
  return undefined
}

/** A link that comes with what the page still fetches. */
async function soon(page: Page, path: RegExp): Promise<string | undefined> {
  for (let tries = 0; tries < 4; tries++) {
    const found = (await linksOn(page)).find((href) => path.test(plain(href)))
    if (found) return found
    await page.waitForTimeout(patient(500))
  }
  return undefined
}

/** So many links, whichever they are; each page is looked at. */
export async function wander(robot: Robot, window: Window, random: Random, hops: number): Promise<string[]> {
  const { page } = window
  await goHome(robot, window)
  const been: string[] = []
  for (let hop = 0; hop < hops; hop++) {
    const all = (await linksOn(page)).filter((href) => !/^\/(sandbox|docs\/|dev|login)/.test(href))
    const menus = page.locator(OPENERS).filter({ hasNotText: NO_MENU })
    if (!all.length || random.percent(25)) {
      const count = await menus.count()
      if (count)
        await menus
          .nth(random.int(0, count - 1))
          .click({ timeout: 3_000 })
          .catch(() => undefined)
    }
    const links = (await linksOn(page)).filter((href) => !/^\/(sandbox|docs\/|dev|login)/.test(href))
    if (!links.length) break
    const href = random.pick(links)
    if (!(await press(page, href))) continue
    been.push(href)
    await inspect(robot, window)
  }
  return been
}
