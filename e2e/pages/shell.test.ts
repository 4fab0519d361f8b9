import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { laterTexts } from '#apps/web/texts-later.ts'
import { shellTexts } from '#apps/web/texts.ts'
import { runAxe, RUN_LOOKS, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { accountTexts } from '#features/account/texts.ts'
import { seedSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { LANGUAGES } from '#platform/shared/languages.ts'
import { fill } from '#platform/shared/texts.ts'

// The frame around every page: header, menus, footer, guard, keyboard, narrow and high-contrast screens.
let token: string
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(async () => {
  token = (await registerByHttp(server)).token
})

const WIDE: PageLook = { width: 1440, lang: 'zh', theme: 'light' }
const PHONE: PageLook = { width: 414, lang: 'zh', theme: 'dark' }
const t = shellTexts.zh
const screenshot = (page: Page, name: string, look: PageLook) =>
  page.screenshot({ path: `e2e/.shots/shell-${name}-${look.width}-${look.lang}-${look.theme}.png` })
/** Opens a page and waits until the part loaded when idle is there too. */
const go = async (page: Page, url: string) => {
  await page.goto(url)
  await waitForQuietNetwork(page)
  await page.locator('#bars').waitFor({ state: 'attached' })
}
const isFocused = (one: Locator): Promise<boolean> => one.evaluate((element: any) => element.matches(':focus'))

describe.each(RUN_LOOKS)('$width $lang $theme', (look) => {
  const say = shellTexts[look.lang]
  const home = look.lang === 'en' ? '/en' : '/'

  test('header over the banner and after it, menus, footer', async () => {
    const { context, page, problems } = await openBrowserContext(browser, look)
    await go(page, server.baseUrl + home)
    const header = page.locator('header').first()
    expect(await header.getAttribute('data-tone')).toBe('ink')
    const box = await header.boundingBox()
    await page.evaluate('scrollTo(0, 3000)')
    await expect.poll(() => header.getAttribute('data-tone')).toBe('page')
    expect((await header.boundingBox())?.height).toBe(box?.height)
    await screenshot(page, 'past-banner', look)
    expect(await runAxe(page)).toEqual([])
    await page.evaluate('scrollTo(0, 0)')
    await expect.poll(() => header.getAttribute('data-tone')).toBe('ink')
    if (look.width === 1440) {
      const button = header.getByRole('button', { name: say.navServices })
      await button.focus()
      await page.keyboard.press('Enter')
      await header.getByRole('link', { name: say.allServices }).waitFor()
      await screenshot(page, 'services', look)
      expect(await runAxe(page, 'header')).toEqual([])
      await page.keyboard.press('Escape')
      expect(await isFocused(button)).toBe(true)
      await button.click()
      await page.mouse.click(700, 700)
      expect(await button.getAttribute('aria-expanded')).toBe('false')
      await button.click()
      await header.getByRole('link', { name: new RegExp(say.pricesNote) }).click()
      await page.waitForURL('**/api?tab=pricing')
    } else {
      const button = header.getByRole('button', { name: say.menu })
      await button.click()
      const sheet = page.getByRole('dialog', { name: say.menu })
      await sheet.getByRole('link', { name: say.helpCentre }).waitFor()
      await screenshot(page, 'menu', look)
      expect(await runAxe(page)).toEqual([])
      expect(await measureOverflow(page)).toBe(0)
      for (let press = 0; press < 25; press++) await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement === document.body || document.activeElement.closest("dialog") !== null')).toBe(true)
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
      expect(await isFocused(button)).toBe(true)
    }
    expect(problems).toEqual([])
    await context.close()
  })

  test('signed in: settings menu, console with its navigation', async () => {
    const { context, page } = await openBrowserContext(browser, look)
    await seedSession(context, token)
    await go(page, `${server.baseUrl}/api`)
    await page.getByRole('button', { name: say.account, exact: true }).click()
    const menu = page.getByRole('menu')
    for (const name of [say.changePhone, say.changeEmail, say.changePassword, say.contact, say.complaint, say.signOut])
      await menu.getByRole('menuitem', { name }).waitFor()
    await screenshot(page, 'settings', look)
    expect(await runAxe(page)).toEqual([])
    await page.keyboard.press('Escape')
    const nav = page.getByRole('navigation', { name: say.navMain })
    expect(await nav.locator('[aria-current="page"]').innerText()).toBe(say.overview)
    await nav.getByRole('link', { name: say.usage }).click()
    await page.waitForURL('**/api?tab=billingDetails')
    expect(await nav.locator('[aria-current="page"]').innerText()).toBe(say.usage)
    expect(await measureOverflow(page)).toBe(0)
    if (look.width === 1440) await checkFolds(page, nav, say)
    await context.close()
  })
})

test('the menu of services stays on the screen at every width', async () => {
  const { context, page } = await openBrowserContext(browser, WIDE)
  await go(page, server.baseUrl)
  const button = page.locator('header').getByRole('button', { name: t.navServices })
  const links = page.locator('header .popup a')
  for (const width of [721, 768, 820, 1024, 1280, 1440, 1920, 2560, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const isShown = width > 720
    expect([width, await button.isVisible(), await measureOverflow(page)]).toEqual([width, isShown, 0])
    if (!isShown) continue
    await button.click()
    await links.last().waitFor()
    expect([width, await measureOverflow(page)]).toEqual([width, 0])
    for (const link of await links.all()) {
      await link.scrollIntoViewIfNeeded()
      const box = (await link.boundingBox())!
      expect([width, box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= 800]).toEqual([width, true])
    }
    await page.screenshot({ path: `e2e/.shots/shell-services-at-${width}.png` })
    await page.keyboard.press('Escape')
  }
  await context.close()
})

/** The last line of the last section is visible above the footer; another section is a collapsed line. */
async function checkFolds(page: Page, nav: Locator, say: (typeof shellTexts)[PageLook['lang']]): Promise<void> {
  await go(page, `${server.baseUrl}/browser`)
  const lines = [nav.locator('[aria-current="page"]', { hasText: say.browser }), nav.getByRole('button', { name: say.support })]
  const boxes = await Promise.all(lines.map((line) => line.boundingBox()))
  expect(boxes.every((box) => box!.y + box!.height <= page.viewportSize()!.height)).toBe(true)
  expect(await nav.getByRole('link', { name: say.card, exact: true }).count()).toBe(0)
  await nav.getByRole('button', { name: say.zoneCard, exact: true }).click()
  await nav.getByRole('link', { name: say.card, exact: true }).waitFor()
  await nav.getByRole('button', { name: say.more, exact: true }).click()
  await nav.getByRole('link', { name: say.prices, exact: true }).waitFor()
  expect(await runAxe(page)).toEqual([])
}

test('language and theme change in place, and are kept', async () => {
  const { context, page } = await openBrowserContext(browser, WIDE)
  await go(page, server.baseUrl)
  await page.evaluate('globalThis.mark = 1')
  await page.getByRole('button', { name: fill(t.switchTo, { name: LANGUAGES.en.name }) }).click()
  await page.waitForURL('**/en')
  await page.getByRole('button', { name: shellTexts.en.theme }).click()
  await page.getByRole('button', { name: shellTexts.en.themeDark }).first().click()
  const seen = () =>
    page.evaluate(
      '[document.documentElement.lang, [...document.documentElement.classList].sort().join(" "), document.documentElement.dataset.theme, globalThis.mark]',
    )
  expect(await seen()).toEqual(['en', 'pc', 'dark', 1])
  await page.reload()
  expect(await seen()).toEqual(['en', 'pc', 'dark', undefined])
  expect((await context.cookies()).find((cookie) => cookie.name === 'lang')?.value).toBe('en')
  await page.setViewportSize({ width: 414, height: 800 })
  await expect.poll(seen).toEqual(['en', 'mobile', 'dark', undefined])
  await context.close()
})

test('a private page asks to sign in and remembers path and query; an unknown one falls to sign-in', async () => {
  const { context, page } = await openBrowserContext(browser, WIDE)
  await page.goto(`${server.baseUrl}/api?tab=billingDetails&keyId=0123`)
  await page.waitForURL('**/login?**')
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/api?tab=billingDetails&keyId=0123')
  await page.goto(`${server.baseUrl}/no/such/page`)
  await page.waitForURL('**/login')
  await page.getByText(accountTexts.zh['auth_missing_lead']).waitFor()
  await page.getByRole('link', { name: accountTexts.zh['auth_missing_home'], exact: true }).waitFor()
  await seedSession(context, token)
  await page.goto(`${server.baseUrl}/login?redirect=${encodeURIComponent('/api?tab=billingDetails&keyId=0123')}`)
  await page.waitForURL('**/api?tab=billingDetails&keyId=0123')
  await page.goto(`${server.baseUrl}/login?redirect=//evil.example`)
  await page.waitForURL(`${server.baseUrl}/api`)
  await page.goto(`${server.baseUrl}/no/such/page`)
  await page.getByText(laterTexts.zh.notFoundTitle).waitFor()
  expect(await runAxe(page)).toEqual([])
  await context.close()
})

test('a session that ends says so once, clears what was kept, and leads back; not on the embedded page', async () => {
  for (const [path, says] of [
    ['/api', true],
    ['/embed-login', false],
  ] as const) {
    const { context, page } = await openBrowserContext(browser, WIDE)
    if (says) await seedSession(context, token)
    await go(page, server.baseUrl + path)
    if (says) {
      await page.evaluate('localStorage.setItem("mx.payOrder", "x")')
      await page.route('**/user/**', (route) => route.fulfill({ status: 401, json: { code: 401, msg: 'x', data: null } }))
      await page.getByRole('link', { name: t.usage }).click()
      await page.locator('.dialog-popup').waitFor()
      await page.waitForURL(`${server.baseUrl}/`)
      expect(await page.getByText(/^登录已过期，请重新登录$/).count()).toBe(1)
      expect(await page.evaluate('Object.keys(localStorage).filter((key) => /session$|payOrder/.test(key) && !key.startsWith("test"))')).toEqual([])
    } else {
      expect(await page.locator('header, footer').count()).toBe(0)
      // a stored session that has expired shows the form, without a message or another link
      await seedSession(context, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)
      const asked = page.waitForResponse('**/user/validate/login')
      await go(page, server.baseUrl + path)
      await asked
      await page.getByRole('button', { name: accountTexts.zh['auth_submit_login'], exact: true }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/embed-login')
      expect(await page.getByText(/^登录已过期，请重新登录$/).count()).toBe(0)
      expect(await page.evaluate('Object.keys(localStorage).filter((key) => /session$/.test(key) && !key.startsWith("test"))')).toEqual([])
    }
    await context.close()
  }
})

test('on a phone an inner page has a way back in the place of the logo', async () => {
  const { context, page } = await openBrowserContext(browser, PHONE)
  await go(page, server.baseUrl)
  await page.locator('footer').getByRole('link', { name: t.terms }).click()
  await page.waitForURL('**/terms')
  await page.getByRole('button', { name: t.back }).click()
  await page.waitForURL(`${server.baseUrl}/`)
  await page.goto(`${server.baseUrl}/privacy`)
  await page.getByRole('button', { name: t.back }).click()
  await page.waitForURL(`${server.baseUrl}/`)
  await context.close()
})

/** The focused element if another element covers its center, otherwise ''. */
const COVERED = `(() => {
  const one = document.activeElement
  if (!one || one === document.body || one.closest('header, nav, aside')) return ''
  const { left, top, width, height } = one.getBoundingClientRect()
  const hit = document.elementFromPoint(Math.min(innerWidth - 1, left + width / 2), top + Math.min(height, innerHeight) / 2)
  return hit && (one.contains(hit) || hit.contains(one)) ? '' : one.outerHTML.slice(0, 120)
})()`

test('a focused element is never hidden below the header or the tabs', async () => {
  for (const [look, path] of [
    [WIDE, '/'],
    [PHONE, '/api'],
  ] as const) {
    const { context, page } = await openBrowserContext(browser, look)
    if (path === '/api') await seedSession(context, token)
    await go(page, server.baseUrl + path)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe(t.skip)
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press('Tab')
      // Late content moves the focused element; the browser scrolls it back into view.
      await expect.poll(() => page.evaluate(COVERED)).toBe('')
    }
    await context.close()
  }
})

test('320 px wide nothing needs sideways scrolling; forced colours keep everything readable', async () => {
  const { context, page } = await openBrowserContext(browser, PHONE)
  await seedSession(context, token)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/', '/en', '/pricing', '/terms', '/api', '/api?tab=pricing', '/test-icon']) {
    await go(page, server.baseUrl + path)
    expect([path, await measureOverflow(page)]).toEqual([path, 0])
  }
  await page.emulateMedia({ forcedColors: 'active' })
  await go(page, server.baseUrl)
  await page.screenshot({ path: 'e2e/.shots/shell-forced-colors.png' })
  await page.keyboard.press('Tab')
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
  await context.close()
})

test('orders are a view of the funds: the menu says so, and no column of theirs is out of sight at any width', async () => {
  const way = { channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
  const head = { 'accesstoken': token, 'idempotency-key': 'orders-in-view' }
  await callPlatform(server, 'POST', { path: '/api/go/v1/payOrder', input: { orderType: 10, amount: '20', ...way }, headers: head })
  const { context, page } = await openBrowserContext(browser, { ...WIDE, lang: 'en' })
  await seedSession(context, token)
  await page.goto(`${server.baseUrl}/orders`)
  const table = page.locator('main [role="group"]:has(table)')
  await table.getByText('$20.00').first().waitFor()
  for (const width of [1440, 1200, 1024, 900, 768]) {
    await page.setViewportSize({ width, height: 900 })
    const isCut = await table.evaluate((one: { scrollWidth: number; clientWidth: number }) => one.scrollWidth > one.clientWidth)
    expect([width, isCut]).toEqual([width, false])
    expect(await page.locator('aside nav [aria-current="page"]').innerText()).toBe('Funds')
  }
  await context.close()
})
