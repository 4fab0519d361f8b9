import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { createSettings } from '#platform/server/settings.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { runAxe, openBrowser, openBrowserContext, measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { waitForValue as asked } from '#platform/testing/patience.ts'
import { pricingTexts } from '#features/site/pricing-texts.ts'
import { firstTexts } from '#features/site/first-texts.ts'
import { addSampleContent } from '#features/site/server/builders.ts'
import { landingSetting } from '#features/site/server/settings.ts'
import { siteServiceTexts } from '#features/site/service-texts.ts'
import { siteTexts } from '#features/site/texts.ts'

// The public pages as readers, search engines and phones get them: rendered in advance, in both languages.
let server: TestServer
const browser = await openBrowser()
beforeAll(async () => {
  server = await startTestServer({ env: { WARM_PAGES: 'true', DEMO: 'true' } })
})
afterAll(() => server.stop())

const PAGES = ['/', '/pricing', '/service', '/compatibility', '/terms', '/privacy', '/help']
const read = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${server.baseUrl}${path}`, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
const toEnglishPath = (path: string) => (path === '/' ? '/en' : `/en${path}`)
/** Balances and settings change at run time; the test writes the values that an operator would. */
const withDb = async <T>(work: (db: ReturnType<typeof connect>) => Promise<T>): Promise<T> => {
  const db = connect(server.databaseUrl, { max: 2 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
const until = (what: () => Promise<boolean>) => asked(async () => (await what()) || undefined, what.toString())

test('without any script: heading, title, description, both addresses, picture and facts, in both languages', async () => {
  for (const path of PAGES) {
    for (const [lang, address] of [
      ['zh-CN', path],
      ['en', toEnglishPath(path)],
    ] as const) {
      const { status, headers, text } = await read(address)
      expect([address, status]).toEqual([address, 200])
      expect(text).toContain(`<html lang="${lang}"`)
      expect(text.match(/<h1[ >]/g)).toHaveLength(1)
      expect(text.match(/<title>[^<]{4,}<\/title>/)).not.toBeNull()
      expect(text.match(/name="description" content="[^"]{10,}"/)).not.toBeNull()
      expect(text).toContain(`<link rel="canonical" href="${server.baseUrl}${address}" />`)
      expect(text).toContain(`hreflang="zh-CN" href="${server.baseUrl}${path}"`)
      expect(text).toContain(`hreflang="en" href="${server.baseUrl}${toEnglishPath(path)}"`)
      expect(text).toContain(`hreflang="x-default" href="${server.baseUrl}${path}"`)
      expect(text).toContain(`property="og:image" content="${server.baseUrl}/social-${lang === 'en' ? 'en' : 'zh'}.png"`)
      for (const [, json] of text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g))
        expect(JSON.parse(json!)['@context']).toBe('https://schema.org')
      // the page has one inline script, and the policy allows only its hash
      const scripts = [...text.matchAll(/<script(?![^>]*(?:src=|type="application\/))[^>]*>([\s\S]*?)<\/script>/g)].map(([, code]) => code!)
      expect(scripts).toHaveLength(1)
      const policy = /script-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')![1]
      expect(policy).toBe(`'self' 'sha256-${createHash('sha256').update(scripts[0]!).digest('base64')}'`)
      expect(headers.get('cache-control')).toBe('no-cache')
      expect((await read(address, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
    }
  }
  const english = (await read('/en')).text
  expect(english.replace(/<script[\s\S]*?<\/script>/g, '')).not.toMatch(/[\u4e00-\u9fff]{4,}/)
})

test('a public page loads neither the console nor the form checks, and starts no Intl', async () => {
  for (const path of [...PAGES, '/help/quick-start', '/protocol']) {
    const { text } = await read(path)
    const files = [...new Set(text.match(/assets\/[\w-]+\.js/g))]
    expect(files.length).toBeGreaterThan(3)
    expect([path, files.filter((file) => /assets\/(console|contract)-[\w-]{8}\.js/.test(file))]).toEqual([path, []])
    for (const file of files) {
      const code = await (await fetch(`${server.baseUrl}/${file}`)).text()
      expect([path, file, /\bIntl\.[A-Z]/.test(code)]).toEqual([path, file, false])
    }
  }
})

test("curl, previews of links and HEAD get the public pages, too; other paths stay the platform's own", async () => {
  const any = (path: string, method: 'GET' | 'HEAD', accept?: string) =>
    fetch(`${server.baseUrl}${path}`, { method, redirect: 'manual', headers: { accept: accept ?? '*/*' } })
  for (const address of [...PAGES, ...PAGES.map(toEnglishPath), '/protocol', '/help/quick-start', '/pricing?model=gpt-5.1'])
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await any(address, method)
      const drawn = await fetch(`${server.baseUrl}${address}`, { headers: { accept: 'text/html' } })
      expect([address, method, reply.status, reply.headers.get('content-type')]).toEqual([address, method, 200, 'text/html; charset=utf-8'])
      expect(await reply.text()).toBe(method === 'HEAD' ? '' : await drawn.text())
    }
  for (const [path, to] of [
    ['/invite/AB12CD', '/?code=AB12CD'],
    ['/pricing/', '/pricing'],
  ]) {
    const reply = await any(path!, 'HEAD')
    expect([path, reply.status, reply.headers.get('location')]).toEqual([path, 302, to])
  }
  for (const path of ['/user/login', '/user/nothing', '/v1/pay/nothing', '/nothing', '/api'])
    expect([path, (await any(path, 'GET')).headers.get('content-type')]).toEqual([path, 'application/json; charset=utf-8'])
  for (const path of ['/login', '/en/login', '/en/api'])
    expect([path, (await any(path, 'GET')).headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8'])
  expect((await any('/', 'GET', 'application/json')).status).toBe(404)
  expect((await any('/nothing', 'HEAD', 'text/html')).status).toBe(200)
})

test('search engines find every page and nothing behind the sign-in', async () => {
  const map = (await read('/sitemap.xml')).text
  for (const path of PAGES) for (const address of [path, toEnglishPath(path)]) expect(map).toContain(`<loc>${server.baseUrl}${address}</loc>`)
  const robots = (await read('/robots.txt')).text
  expect(robots).toContain(`Sitemap: ${server.baseUrl}/sitemap.xml`)
  expect(robots).toContain('Disallow: /api')
  expect((await read('/login')).text).toContain('name="robots" content="noindex"')
  const picture = Buffer.from(await (await fetch(`${server.baseUrl}/social-zh.png`)).arrayBuffer())
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630])
})

/** A slow mobile connection: 400 kbit/s, 400 ms round trip. */
const SLOW = { bytesPerSecond: 50_000, roundTrip: 0.4 }

test('the console has its frame in the document, and its balance within six seconds of a slow line', async () => {
  // fetch decompresses the body; the header shows the encoding that was sent
  const packed = async (path: string) => {
    const { headers } = await fetch(`${server.baseUrl}${path}`, { method: 'HEAD', headers: { 'accept': '*/*', 'accept-encoding': 'br' } })
    return Number(headers.get('content-length') ?? Number.NaN)
  }
  const titles = [
    ['/api', '概览'],
    ['/api?tab=billingDetails', '用量'],
    ['/orders/T1', '订单'],
  ]
  for (const [path, title] of titles) {
    const { text } = await read(path!)
    expect([path, /<html [^>]*data-frame="zh"/.test(text)]).toEqual([path, true])
    expect([path, /aria-current="page"[^>]*>(?:(?!<\/a>).)*/.exec(text)?.[0].includes(title!)]).toEqual([path, true])
  }
  expect((await read('/api', { cookie: 'lang=en' })).text).toContain('>Overview<')
  for (const path of ['/login', '/no/such', '/']) expect([path, /<html [^>]*data-frame/.test((await read(path)).text)]).toEqual([path, false])

  const { text } = await read('/api')
  const first = [...text.matchAll(/(?:modulepreload"[^>]*href|<script type="module"[^>]*src)="([^"]+)"/g)].map(([, file]) => file!)
  const later = /data-later="([^"]*)"/.exec(text)![1]!.split(' ')
  expect(first.length).toBeGreaterThan(4)
  for (const file of [...first, ...later.map((one) => `/${one}`)]) expect([file, (await fetch(`${server.baseUrl}${file}`)).status]).toEqual([file, 200])
  const page = Buffer.byteLength(text) / 5
  const code = (await Promise.all(first.map(packed))).reduce((sum, size) => sum + size, 0)
  expect(SLOW.roundTrip + page / SLOW.bytesPerSecond).toBeLessThan(2)
  expect(2 * SLOW.roundTrip + (page + code) / SLOW.bytesPerSecond).toBeLessThan(6)
})

test('addresses redirect by slash, language and invitation', async () => {
  const leads = async (path: string, headers?: Record<string, string>) => {
    const { status, headers: sent } = await read(path, headers)
    return status === 302 ? sent.get('location') : status
  }
  expect(await leads('/pricing/')).toBe('/pricing')
  expect(await leads('/en/')).toBe('/en')
  for (const path of ['/en/api', '/en/login', '/en/orders/1']) expect([path, await leads(path)]).toEqual([path, 200])
  expect(await leads('/pricing?vendor=google', { cookie: 'lang=en' })).toBe('/en/pricing?vendor=google')
  expect(await leads('/en/pricing', { cookie: 'lang=zh' })).toBe(200)
  expect(await leads('/invite/AB12')).toBe('/?code=AB12')
  expect(await leads('/invite/AB12?from=x', { cookie: 'lang=en' })).toBe('/en?code=AB12&from=x')
  expect(await leads('/i/AB12')).toBe(200)
  expect(String(await leads('//evil.example/'))).not.toMatch(/^\/\//)
})

test('a new price is on the page within seconds, without a restart', async () => {
  expect((await read('/pricing')).text).not.toContain('$12.3456')
  await withDb((db) =>
    db.query(
      `insert into gateway_prices (model_id, valid_from, classes, source)
       select model_id, now(), array[12345600000::bigint] || classes[2:], 'test' from gateway_prices where model_id = 'gpt-6.2-astra' order by version desc limit 1`,
    ),
  )
  await until(async () => (await read('/pricing')).text.includes('$12.3456'))
  expect((await read('/')).text).toContain('$12.3456')
})

test('hydration leaves the page as it was drawn, with few requests and none to other hosts', async () => {
  const { page, context, problems } = await openBrowserContext(browser, { width: 414, lang: 'zh', theme: 'dark' })
  for (const path of PAGES) {
    const asked: string[] = []
    const note = (request: { url(): string }) => void asked.push(request.url())
    page.on('request', note)
    await page.goto(`${server.baseUrl}${path}`)
    const before = await page.locator('h1').first().boundingBox()
    await waitForQuietNetwork(page)
    page.off('request', note)
    expect(asked.filter((url) => !url.startsWith(server.baseUrl) && !url.startsWith('data:'))).toEqual([])
    expect([path, asked.length <= (path === '/' ? 25 : 33) || asked]).toEqual([path, true])
    expect(await page.locator('h1').first().boundingBox()).toEqual(before)
  }
  expect(problems).toEqual([])
  await context.close()
})

test('switching the language moves to the other address without a reload, and back works', async () => {
  const { page, context, problems } = await openBrowserContext(browser, { width: 1440, lang: 'zh', theme: 'light' })
  await page.goto(`${server.baseUrl}/pricing?vendor=google`)
  await waitForQuietNetwork(page)
  await page.locator('#bars').waitFor({ state: 'attached' })
  await page.evaluate('window.sameDocument = true')
  await page.locator('header button[lang="en"], header button[aria-label*="English"]').first().click()
  await page.waitForURL('**/en/pricing?vendor=google')
  await page.getByRole('heading', { level: 1, name: siteTexts.en.pricing_title }).waitFor()
  expect(await page.evaluate('window.sameDocument')).toBe(true)
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  expect(await page.title()).toContain(siteTexts.en.pricing_title)
  await expect.poll(() => page.locator('a[href^="/pricing"]').count()).toBe(0)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: siteTexts.en.pricing_title }).waitFor()
  await page.goto(`${server.baseUrl}/terms`)
  await page.waitForURL('**/en/terms')
  expect(problems).toEqual([])
  await context.close()
})

test('a button that is pressed before the code has come does what it says once it has', async () => {
  const { page, context } = await openBrowserContext(browser, { width: 414, lang: 'zh', theme: 'light' })
  await page.route('**/assets/*.js', async (route) => {
    await new Promise((done) => setTimeout(done, 1500))
    await route.continue()
  })
  await page.goto(`${server.baseUrl}/`, { waitUntil: 'commit' })
  await page.locator('[data-banner] button').first().click()
  await page.getByRole('dialog').waitFor()
  await context.close()
})

test('a visitor who follows an English link without ever having chosen stays in English', async () => {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(`${server.baseUrl}/en`)
  await waitForQuietNetwork(page)
  await page.goto(`${server.baseUrl}/login`)
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  await context.close()
})

test('an invitation is kept for the registration and shown', async () => {
  const { page, context } = await openBrowserContext(browser, { width: 414, lang: 'zh', theme: 'light' })
  await page.goto(`${server.baseUrl}/invite/WELCOME7`)
  await page.waitForURL('**/?code=WELCOME7')
  await page.getByText('WELCOME7').waitFor()
  expect(await page.evaluate(`localStorage.getItem('mx.invite') !== null`)).toBe(true)
  await page.goto(`${server.baseUrl}/invite`)
  await page.waitForURL('**/login')
  await context.close()
})

async function readShownModels(page: Page): Promise<string[]> {
  return page.locator('tbody th code').allTextContents()
}

test('prices: search, filters, sort, comparison and one model, all of it in the address', async () => {
  const t = pricingTexts.zh
  const { page, context, problems } = await openBrowserContext(browser, { width: 1440, lang: 'zh', theme: 'light' })
  await page.goto(`${server.baseUrl}/pricing`)
  await waitForQuietNetwork(page)
  // the part loaded when idle handles presses from here on
  await page.locator('#bars').waitFor({ state: 'attached' })
  const all = (await readShownModels(page)).length
  await page.keyboard.press('/')
  await page.keyboard.type('GPT6.2 sol')
  await page.waitForURL('**q=GPT6.2+sol**')
  expect(await readShownModels(page)).toEqual(['gpt-6.2-sol'])
  await page.getByRole('searchbox').fill('没有这样的模型 <script>')
  await page.getByText(t.none).waitFor()
  await page.getByRole('link', { name: t.clear }).click()
  await until(async () => (await readShownModels(page)).length === all)
  await page.getByRole('button', { name: /^Gemini/ }).click()
  await page.getByRole('button', { name: t.cap_video, exact: true }).click()
  await page.getByLabel(t.sort).selectOption('price')
  const link = page.url()
  const cheapFirst = await readShownModels(page)
  expect(cheapFirst.length).toBeGreaterThan(2)
  expect(cheapFirst.every((id) => id.startsWith('gemini'))).toBe(true)
  await page.goto(`${server.baseUrl}/terms`)
  await page.goto(link)
  await until(async () => JSON.stringify(await readShownModels(page)) === JSON.stringify(cheapFirst))
  await page.goto(`${server.baseUrl}/pricing`)
  await waitForQuietNetwork(page)
  for (const box of await page
    .getByRole('checkbox')
    .all()
    .then((boxes) => boxes.slice(0, 3)))
    await box.check()
  await page.getByRole('heading', { name: t.compare_title.replace('{count}', '3') }).waitFor()
  expect(await page.getByRole('checkbox').nth(3).isDisabled()).toBe(true)
  expect(await runAxe(page)).toEqual([])
  await page.goto(`${server.baseUrl}/pricing?model=claude-opus-5-5&cur=cny`)
  const sheet = page.getByRole('dialog')
  await sheet.getByText('claude-opus-5-5').first().waitFor()
  const { data } = (await (await fetch(`${server.baseUrl}/common/exchangeRate`)).json()) as { data: { rate: string } }
  expect(await sheet.getByText(`¥${String(Math.round(40_000 * Number(data.rate)) / 10_000)}`, { exact: true }).count()).toBeGreaterThan(0)
  expect(await runAxe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => !url.searchParams.has('model'))
  expect(problems).toEqual([])
  await context.close()
})

test('the receipts on the landing page add up, whatever is chosen', async () => {
  const { page, context } = await openBrowserContext(browser, { width: 1440, lang: 'zh', theme: 'light' })
  await page.goto(`${server.baseUrl}/`)
  await waitForQuietNetwork(page)
  const nano = (text: string) => BigInt(Math.round(Number(text.replace(/[$,]/g, '')) * 1e9))
  for (let set = 0; set < 3; set++) {
    const amounts = (await page.locator('.tape .num').allTextContents()).filter((text) => text.startsWith('$')).map(nano)
    expect(amounts).toHaveLength(4)
    expect(amounts.slice(0, 3).reduce((sum, one) => sum + one, 0n)).toBe(amounts[3])
    await page.getByRole('button', { name: firstTexts.zh.tape_again }).click()
  }
  const month = page.locator('#estimate .receipt .num').last()
  const before = await month.textContent()
  await page.locator('#estimate input[type=range]').focus()
  await page.keyboard.press('ArrowRight')
  expect(await month.textContent()).not.toBe(before)
  await context.close()
})

test('the member page: samples marked, five reviews on phones, services lead to /service', async () => {
  await withDb(async (db) => {
    const settings = createSettings(db)
    await addSampleContent({ db, settings }, 'member')
  })
  await until(async () => (await read('/')).text.includes(siteTexts.zh.member_title))
  for (const [width, lang, theme] of [
    [414, 'en', 'dark'],
    [1440, 'zh', 'light'],
  ] as const) {
    const { page, context, problems } = await openBrowserContext(browser, { width, lang, theme })
    await page.goto(`${server.baseUrl}${lang === 'en' ? '/en' : '/'}`)
    await waitForQuietNetwork(page)
    const reviews = page.getByRole('list', { name: siteTexts[lang].reviews_title }).locator('> li:visible')
    expect(await reviews.count()).toBe(width === 414 ? 5 : 9)
    expect(await reviews.getByText(firstTexts[lang].tape_sample, { exact: true }).count()).toBe(width === 414 ? 5 : 9)
    expect(await runAxe(page)).toEqual([])
    expect(await measureOverflow(page)).toBe(0)
    await page.screenshot({ path: `e2e/.shots/member-${width}-${lang}-${theme}.png`, fullPage: true })
    await page.locator('[data-banner]').getByRole('link', { name: firstTexts[lang].hero_start }).click()
    await page.waitForURL('**/service')
    await page.getByRole('heading', { level: 1, name: siteServiceTexts[lang].title }).waitFor()
    expect(await runAxe(page)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  }
  await withDb((db) => transact(db, SYSTEM, (tx) => createSettings(db).set(tx, landingSetting, 'api')))
})

test('texts half as long again overflow nowhere', async () => {
  for (const width of [414, 1440] as const) {
    const { page, context } = await openBrowserContext(browser, { width, lang: 'en', theme: 'light' })
    for (const path of ['/en', '/en/pricing', '/en/service', '/en/help', '/en/terms']) {
      await page.goto(`${server.baseUrl}${path}?pseudo=1`)
      await page.locator('h1').first().waitFor()
      await waitForQuietNetwork(page)
      // rendered again in the browser, the longest list last
      if (path === '/en/pricing') await page.locator('h2[id^="kind-"]').last().waitFor()
      expect([path, width, await measureOverflow(page)]).toEqual([path, width, 0])
    }
    await context.close()
  }
})

test('at 320 px and with 200 % zoom nothing is wider than the window', async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 } })
  const page = await context.newPage()
  for (const path of ['/', '/en', '/pricing', '/en/pricing', '/service']) {
    await page.goto(`${server.baseUrl}${path}`)
    await waitForQuietNetwork(page)
    expect([path, await measureOverflow(page)]).toEqual([path, 0])
  }
  await context.close()
})
