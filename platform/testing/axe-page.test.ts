import { afterAll, expect, test } from 'vitest'
import { runAxe, openBrowser, openBrowserContext } from './browser.ts'

const browser = await openBrowser()
afterAll(() => browser.close())

const buildButton = (name: string, size: number) =>
  `<button aria-label="${name}" style="display:block;width:${size}px;height:${size}px;padding:0;border:0">x</button>`
const buildPage = (size: number) => `<!doctype html><html lang="en"><title>Targets</title><body style="margin:0">
  <header style="position:sticky;top:0;height:60px;background:#fff;color:#000"><a href="#top" style="display:block;height:60px;color:#000">Bar</a></header>
  <main style="height:3000px;padding-top:400px;background:#fff;color:#000"><h1>Targets</h1>${buildButton('One', size)}${buildButton('Two', size)}</main>`

/** Scrolls the page until the bar covers half of the first button. */
async function checkScrolledPage(size: number): Promise<{ found: readonly string[]; moved: number }> {
  const { context, page } = await openBrowserContext(browser, { width: 414, lang: 'en', theme: 'light' })
  await page.setContent(buildPage(size))
  const at = await page.evaluate(
    `(() => { const { top } = document.querySelector('button').getBoundingClientRect(); scrollTo(0, top - 60 + ${size} / 2); return scrollY })()`,
  )
  const found = await runAxe(page)
  const moved = (await page.evaluate('scrollY')) as number
  await context.close()
  return { found, moved: moved - (at as number) }
}

test('a target that a bar half covers is large enough, and the page stays where it was', async () => {
  expect(await checkScrolledPage(24)).toEqual({ found: [], moved: 0 })
})

test('a target that is small wherever it stands is reported', async () => {
  const { found } = await checkScrolledPage(12)
  expect(found.join()).toContain('target-size')
})
