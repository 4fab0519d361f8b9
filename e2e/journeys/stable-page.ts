import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { waitForQuietNetwork } from '#platform/testing/browser.ts'

/** True under `npm run e2e`, which checks this at every step of the journeys; a change only takes screenshots. */
export const CHECKS_EVERY_STEP = process.env['STEPS'] === 'hard'
const LAYERS = '[role=dialog], [role=alertdialog]'

/** The page's text, without running figures: minutes left, times. */
const readPageText = async (page: Page): Promise<string> =>
  String(await page.evaluate(`document.querySelector('main')?.innerText ?? document.body.innerText`))
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ')

/**
 * Checks that a step survives interruptions: the network drops and returns, a second tab and a reload show the same. With a dialog open only the
 * network drops, because a reload closes the dialog.
 */
export async function expectStablePage(page: Page, name: string): Promise<void> {
  // A copy button shows its confirmation for a moment
  await expect.poll(() => readPageText(page)).not.toMatch(/Copied|已复制/)
  let before = await readPageText(page)
  const says = (tab: Page, how: string) =>
    expect
      .poll(async () => {
        // Progress that happens by itself happens in both tabs
        if (tab !== page) before = await readPageText(page)
        return { name, how, before, says: await readPageText(tab) }
      })
      .toSatisfy((both: { readonly before: string; readonly says: string }) => both.before === both.says)
  const context = page.context()
  await context.setOffline(true)
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
  await context.setOffline(false)
  await waitForQuietNetwork(page)
  await says(page, 'after the network was gone')
  if (await page.locator(LAYERS).count()) return
  const tab = await context.newPage()
  await tab.goto(page.url())
  await waitForQuietNetwork(tab)
  await says(tab, 'in a second tab')
  await tab.close()
  await page.reload()
  await waitForQuietNetwork(page)
  await says(page, 'after a reload')
}
