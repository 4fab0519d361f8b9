import { mkdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { runAxe, RUN_LOOKS, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { HELP_SLUGS } from '#features/site/help-articles.ts'
import { helpTexts } from '#features/site/help-texts.ts'
import { LEGAL, readArticle, readLegal } from '#features/site/help/read.ts'
import { legalTexts } from '#features/site/legal-texts.ts'

const devTexts = Object.fromEntries(
  (['zh', 'en'] as const).map((lang) => [lang, JSON.parse(readFileSync(`apps/web/dev-ui/messages/${lang}.json`, 'utf8'))]),
) as Readonly<Record<'zh' | 'en', Readonly<Record<string, string>>>>

// The help centre, the legal pages and the agreement as readers use them, in every look; screenshots go to e2e/.shots.
const SHOTS = 'e2e/.shots'
let server: TestServer
const browser = await openBrowser()
const wide: PageLook = { width: 1440, lang: 'zh', theme: 'light' }
const phone: PageLook = { width: 414, lang: 'en', theme: 'dark' }

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  server = await startTestServer({ roles: 'api', env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,sms,google' } })
})
afterAll(() => server.stop())

const buildUrl = ({ lang }: Pick<PageLook, 'lang'>, path: string) => `${server.baseUrl}${lang === 'en' ? '/en' : ''}${path}`
const searchBox = (page: Page) => page.getByRole('combobox').first()

async function checkPage(page: Page, name: string, { look, full = false }: { readonly look: PageLook; readonly full?: boolean }) {
  await waitForQuietNetwork(page)
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: `${SHOTS}/${name}-${look.width}-${look.lang}-${look.theme}.png`, fullPage: full })
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}

describe.each(RUN_LOOKS)('$width $lang $theme', (look) => {
  const t = helpTexts[look.lang]
  const l = legalTexts[look.lang]

  test('start page, search, an article of each kind, legal pages', async () => {
    const { context, page, problems } = await openBrowserContext(browser, look)
    await page.goto(buildUrl(look, '/help'))
    await checkPage(page, 'help', { look, full: true })
    await searchBox(page).fill(look.lang === 'zh' ? '退款' : 'refund')
    await page.getByRole('option').first().waitFor()
    await checkPage(page, 'help-search', { look })
    await searchBox(page).fill('zzzz')
    await page.getByText(t['askSupport'], { exact: true }).first().waitFor()
    await checkPage(page, 'help-search-nothing', { look })
    for (const slug of ['quick-start', 'errors', 'recharge', 'payment-links'] as const) {
      await page.goto(buildUrl(look, `/help/${slug}`))
      await page.getByRole('heading', { level: 1, name: readArticle(look.lang, slug).title }).waitFor()
      await checkPage(page, `help-${slug}`, { look, full: true })
    }
    await page.goto(buildUrl(look, '/help/no-such-article'))
    await page.getByRole('link', { name: t['missingBack'] }).waitFor()
    await checkPage(page, 'help-missing', { look })
    for (const name of LEGAL) {
      await page.goto(buildUrl(look, `/${name}`))
      await page.getByRole('heading', { level: 1, name: l[`${name}_title`] }).waitFor()
      await checkPage(page, name, { look, full: true })
    }
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
    await context.close()
  })
})

test.each([...HELP_SLUGS])('%s is in the HTML of both languages, without a script', async (slug) => {
  for (const lang of ['zh', 'en'] as const) {
    const reply = await fetch(buildUrl({ lang }, `/help/${slug}`), { headers: { accept: 'text/html' } })
    const html = await reply.text()
    const { title, blocks } = readArticle(lang, slug)
    expect(reply.status).toBe(200)
    expect(html).toContain(`>${title}</h1>`)
    for (const block of blocks) if (block.kind === 'heading') expect(html).toContain(`id="${block.id}"`)
    expect(html).not.toContain('{{')
    expect(html).toContain(lang === 'zh' ? '<html lang="zh-CN"' : '<html lang="en"')
  }
})

test('no article is wider than a phone, in either language', async () => {
  const { context, page } = await openBrowserContext(browser, phone)
  for (const slug of HELP_SLUGS)
    for (const lang of ['zh', 'en'] as const) {
      await page.goto(buildUrl({ lang }, `/help/${slug}`), { waitUntil: 'domcontentloaded' })
      expect([slug, lang, await measureOverflow(page)]).toEqual([slug, lang, 0])
    }
  await context.close()
})

test('longer texts fit, too', async () => {
  const { context, page } = await openBrowserContext(browser, phone)
  for (const path of ['/help', '/help/errors', '/terms', '/protocol']) {
    await page.goto(`${buildUrl(phone, path)}?pseudo=1`)
    await waitForQuietNetwork(page)
    expect([path, await measureOverflow(page)]).toEqual([path, 0])
  }
  await context.close()
})

describe('search by keyboard alone', () => {
  test('"/" focuses it, arrows choose, Enter opens, Esc clears and leaves', async () => {
    const { context, page, problems } = await openBrowserContext(browser, wide)
    await page.goto(buildUrl(wide, '/help/faq'))
    await waitForQuietNetwork(page)
    await page.keyboard.press('/')
    const box = searchBox(page)
    expect(await page.locator('input[role="combobox"]:focus').count()).toBe(1)
    await page.keyboard.type('退款')
    const options = page.getByRole('option')
    await options.first().waitFor()
    const chosen = () => options.evaluateAll((all: any[]) => all.findIndex((one) => one.getAttribute('aria-selected') === 'true'))
    expect(await chosen()).toBe(0)
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).toBe(1)
    expect(await box.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen()).toBe((await options.count()) - 1)
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('mark').first().textContent()).toBe('退款')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/help/refunds')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.keyboard.press('/')
    await page.keyboard.type('x')
    await page.keyboard.press('Escape')
    expect(await searchBox(page).inputValue()).toBe('')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
    expect(problems).toEqual([])
    await context.close()
  })

  test('"/" is a letter inside a text field', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    await page.goto(buildUrl(wide, '/help'))
    await waitForQuietNetwork(page)
    await searchBox(page).fill('a')
    await searchBox(page).press('End')
    await page.keyboard.type('/v1')
    expect(await searchBox(page).inputValue()).toBe('a/v1')
    await context.close()
  })

  test('?q= opens with its hits, and nothing of the index is loaded before a search', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.goto(buildUrl(wide, '/help'))
    await waitForQuietNetwork(page)
    expect(loaded.filter((url) => /search-texts/.test(url))).toEqual([])
    await page.goto(`${buildUrl(wide, '/help')}?q=${encodeURIComponent('发票')}`)
    await page.getByRole('option').first().waitFor()
    expect(loaded.filter((url) => /search-texts-zh/.test(url)).length).toBe(1)
    expect(loaded.filter((url) => /search-texts-en/.test(url))).toEqual([])
    await context.close()
  })

  test('an index that does not load says so, and loads on retry', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    await page.goto(buildUrl(wide, '/help'))
    await waitForQuietNetwork(page)
    await page.route('**/search-texts-zh*', (route) => route.abort())
    await searchBox(page).fill('退款')
    const retry = page.getByRole('button', { name: helpTexts.zh['searchRetry'] })
    await retry.waitFor()
    await page.unroute('**/search-texts-zh*')
    await retry.click()
    await page.getByRole('option').first().waitFor()
    await context.close()
  })

  test('markup in a query is text', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    await page.goto(`${buildUrl(wide, '/help')}?q=${encodeURIComponent('<img src=x onerror=window.hit=1>"\'')}`)
    await waitForQuietNetwork(page)
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(await page.locator('main img').count()).toBe(0)
    await context.close()
  })
})

describe('an article', () => {
  test('its contents lead to headings and follow the reader; the address has the anchor', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    await page.goto(buildUrl(wide, '/help/errors'))
    await waitForQuietNetwork(page)
    const toc = page.getByRole('navigation', { name: helpTexts.zh['toc'] }).first()
    const last = readArticle('zh', 'errors').blocks.findLast((block) => block.kind === 'heading')!
    await toc.getByRole('link', { name: last.text }).click()
    expect(new URL(page.url()).hash).toBe(`#${last.id}`)
    await expect.poll(() => toc.locator('[aria-current]').textContent()).toBe(last.text)
    expect((await page.locator(`#${last.id}`).boundingBox())!.y).toBeGreaterThan(60)
    await page.goto(buildUrl(wide, '/help/pricing#rounding'))
    await waitForQuietNetwork(page)
    expect(await page.evaluate('document.activeElement.id')).toBe('rounding')
    await context.close()
  })

  test('the language of samples is remembered, and what is copied is what is shown, with this address', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    await page.goto(buildUrl(wide, '/help/quick-start'))
    await waitForQuietNetwork(page)
    await page.getByRole('button', { name: 'Python', exact: true }).click()
    const block = page.locator('pre', { hasText: 'from openai import OpenAI' })
    await block.locator('xpath=..').getByRole('button').last().click()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(await block.textContent())
    const { origin } = JSON.parse((await page.locator('#site').textContent())!) as { origin: string }
    expect([server.baseUrl, server.baseUrl.replace('127.0.0.1', 'localhost')]).toContain(origin)
    expect(copied).toContain(`base_url="${origin}/v1"`)
    await page.goto(buildUrl(wide, '/help/base-urls'))
    await waitForQuietNetwork(page)
    await page.locator('pre', { hasText: 'import anthropic' }).waitFor()
    await context.close()
  })

  test('switching the language stays at the article', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    await page.goto(buildUrl(wide, '/help/streaming'))
    await waitForQuietNetwork(page)
    await page.locator('footer').getByRole('button', { name: 'English', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: readArticle('en', 'streaming').title }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/en/help/streaming')
    await context.close()
  })

  test('a vote is counted once, and a no asks why', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    const t = helpTexts.zh
    await page.goto(buildUrl(wide, '/help/dify'))
    await waitForQuietNetwork(page)
    await page.getByRole('button', { name: t['helpfulNo'], exact: true }).click()
    await page.getByRole('button', { name: t['why_missing'], exact: true }).click()
    await page.getByText(t['helpfulThanks']).waitFor()
    await page.goto(buildUrl(wide, '/help/cline'))
    await page.getByRole('button', { name: t['helpfulYes'], exact: true }).click()
    await page.getByText(t['helpfulThanks']).waitFor()
    const db = connect(server.databaseUrl, { max: 1 })
    const rows = await db.query('select article, language, answer, votes from site_help_votes order by article, answer')
    await db.close()
    expect(rows).toEqual([
      { article: 'cline', language: 'zh', answer: 'yes', votes: 1 },
      { article: 'dify', language: 'zh', answer: 'missing', votes: 1 },
      { article: 'dify', language: 'zh', answer: 'no', votes: 1 },
    ])
    await context.close()
  })

  test('a vote without a network says so and can be sent again', async () => {
    const { context, page } = await openBrowserContext(browser, wide)
    await page.goto(buildUrl(wide, '/help/codex'))
    await waitForQuietNetwork(page)
    await page.route('**/common/helpVote', (route) => route.abort())
    const yes = page.getByRole('button', { name: helpTexts.zh['helpfulYes'], exact: true })
    await yes.click()
    await page.getByText(helpTexts.zh['helpfulFailed']).waitFor()
    await page.unroute('**/common/helpVote')
    await yes.click()
    await page.getByText(helpTexts.zh['helpfulThanks']).waitFor()
    await context.close()
  })

  test('paper gets the text alone, black on white, from the dark theme too', async () => {
    const { context, page } = await openBrowserContext(browser, { ...wide, theme: 'dark' })
    await page.goto(buildUrl(wide, '/help/errors'))
    await waitForQuietNetwork(page)
    await page.emulateMedia({ media: 'print' })
    await page.screenshot({ path: `${SHOTS}/help-print.png`, fullPage: true })
    for (const gone of ['header', 'footer', '[role="search"]', 'pre + button']) expect(await page.locator(gone).filter({ visible: true }).count()).toBe(0)
    expect(await page.locator('article h1').isVisible()).toBe(true)
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect((await page.locator('article').boundingBox())!.width).toBeGreaterThan(900)
    await context.close()
  })
})

describe.each([wide, phone])('the agreement, $width $lang $theme', (look) => {
  const l = legalTexts[look.lang]
  const other = look.lang === 'zh' ? 'en' : 'zh'
  const otherName = other === 'en' ? 'English' : '中文'

  test('as a page: thirteen sections, and a language of its own', async () => {
    const { context, page, problems } = await openBrowserContext(browser, look)
    await page.goto(buildUrl(look, '/protocol'))
    await waitForQuietNetwork(page)
    await page.locator('article').getByRole('button', { name: otherName, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: readLegal(other, 'protocol').title }).waitFor()
    expect(await page.locator('article h2').count()).toBe(13)
    expect(new URL(page.url()).pathname).toBe(look.lang === 'en' ? '/en/protocol' : '/protocol')
    expect(await page.locator('html').getAttribute('lang')).toBe(look.lang === 'en' ? 'en' : 'zh-CN')
    expect(problems).toEqual([])
    await context.close()
  })

  test('as a dialog: confirming waits for the end of the text; Esc gives up; focus comes back', async () => {
    const { context, page } = await openBrowserContext(browser, look)
    await page.goto(`${server.baseUrl}/dev/ui`)
    const opener = page.getByRole('button', { name: devTexts[look.lang]['openAgreement']! })
    await opener.click()
    const dialog = page.getByRole('dialog', { name: readLegal(look.lang, 'protocol').title })
    await dialog.waitFor()
    expect(await dialog.locator('h2').count()).toBeGreaterThanOrEqual(13)
    expect(await dialog.getByRole('button', { name: l['protocol_confirm'] }).count()).toBe(0)
    await checkPage(page, 'protocol-dialog', { look })
    for (const link of await dialog.locator('.prose a[href^="/"]').all()) expect(await link.getAttribute('target')).toBe('_blank')
    await dialog.getByRole('button', { name: otherName, exact: true }).click()
    await page.getByRole('dialog', { name: readLegal(other, 'protocol').title }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('button:focus').textContent()).toBe(devTexts[look.lang]['openAgreement'])
    await opener.click()
    await page.getByRole('button', { name: l['protocol_down'] }).click()
    await page.getByRole('button', { name: l['protocol_confirm'] }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(devTexts[look.lang]['toastText']!).first().waitFor()
    await context.close()
  })
})
