import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { quiet } from '#platform/testing/browser.ts'

/** `npm run e2e` asks it of every step of the journeys; a change looks only. */
export const IS_HARD = process.env['STEPS'] === 'hard'
const LAYERS = '[role=dialog], [role=alertdialog]'

/** What the page says, but for figures that run: minutes left, times. */
const words = async (page: Page): Promise<string> =>
  String(await page.evaluate(`document.querySelector('main')?.innerText ?? document.body.innerText`))
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ')

/**
 * A step survives what happens to people: the network goes and comes back, a second tab shows the same, and so does the page loaded anew. With a
 * dialog open only the network goes: a dialog is closed by a reload.
 */
export async function expectToStay(page: Page, name: string): Promise<void> {
  // A button says for a moment that it has copied
  await expect.poll(() => words(page)).not.toMatch(/Copied|已复制/)
  let before = await words(page)
  const says = (tab: Page, how: string) =>
    expect
      .poll(async () => {
        // What moves on by itself moves on in both tabs
        if (tab !== page) before = await words(page)
        return { name, how, before, says: await words(tab) }
      })
      .toSatisfy((both: { readonly before: string; readonly says: string }) => both.before === both.says)
  const context = page.context()
  await context.setOffline(true)
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
  await context.setOffline(false)
  await quiet(page)
  await says(page, 'after the network was gone')
  if (await page.locator(LAYERS).count()) return
  const tab = await context.newPage()
  await tab.goto(page.url())
  await quiet(tab)
  await says(tab, 'in a second tab')
  await tab.close()
  await page.reload()
  await quiet(page)
  await says(page, 'after a reload')
}
