import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Download, type Page } from 'playwright-core'
import { afterAll, inject } from 'vitest'
import { RECORD_COPIED_SCRIPT } from './browsing/copied-text.ts'
import { closeContext, dropReadyContexts, isContextReady, reuseContext } from './browsing/kept-contexts.ts'
import { runAxeInPage, AXE_RULES, formatAxeViolation } from './axe-page.ts'
import { watchHungCalls } from './watching/hung-calls.ts'
import { PATIENCE_MS } from './patience.ts'
import { TURN } from './rounds.ts'
import { attachVisibleText } from './watching/visible-text-on-failure.ts'
import { LANGS, type Lang, DEFAULT_LANG, getLocale } from '#platform/shared/languages.ts'
import { existsSync } from 'node:fs'

const PATHS = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]

export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A fake microphone, granted automatically: headless runs have no Allow button.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

/** The machine's Chromium; `npm run doctor` explains how to get it. `windows`: the full browser instead of the headless shell. */
export function findInstalledChromium({ windows = false } = {}): string {
  const found = PATHS.find((path) => path && existsSync(path) && !(windows && path.endsWith('-shell')))
  if (!found) throw new Error('No Chromium found. On Debian: apt-get update && apt-get install -y chromium fonts-noto-cjk')
  return found
}

/** One connection per process, shared by all its test files. */
let connection: Promise<Browser> | undefined
function connectBrowser(at: string): Promise<Browser> {
  connection ??= chromium.connect(at).then((browser) =>
    browser.once('disconnected', () => {
      connection = undefined
      dropReadyContexts()
    }),
  )
  return connection
}

/** The shared browser of the test part. Contexts that this file leaves open are closed at its end. */
export async function openBrowser(): Promise<Browser> {
  const at = inject('browserAt')
  if (at === undefined) {
    const own = await chromium.launch({ executablePath: findInstalledChromium(), args: [...BROWSER_ARGS] })
    afterAll(() => own.close())
    return own
  }
  const browser = await connectBrowser(at)
  afterAll(async () => void (await Promise.all(browser.contexts().map((context) => (isContextReady(context) ? undefined : closeContext(context))))))
  return browser
}

export interface PageLook {
  readonly width: 1440 | 414
  readonly lang: Lang
  readonly theme: 'light' | 'dark'
}

/** The eight combinations of width, language and theme. */
const ALL_LOOKS: readonly PageLook[] = ([1440, 414] as const).flatMap((width) =>
  LANGS.flatMap((lang) => (['light', 'dark'] as const).map((theme) => ({ width, lang, theme }))),
)

let turn = TURN
let file: string | undefined
/** Counts up within each test file, starting from the day's number, so that it does not depend on the process or on earlier files. */
function nextTurn(): number {
  if (file !== process.env['TEST_FILE']) [file, turn] = [process.env['TEST_FILE'], TURN]
  return turn++
}

/**
 * Looks of this run: the day's one of the eight; `LOOKS=pairs` takes four that cover every pair of width, language and theme, `LOOKS=all` all eight.
 */
export const RUN_LOOKS: readonly PageLook[] = ALL_LOOKS.filter(({ width, lang, theme }, at) => {
  const [narrow, translated, dark] = [width === 414, lang !== DEFAULT_LANG, theme === 'dark']
  if (process.env['LOOKS'] === 'all') return true
  return process.env['LOOKS'] === 'pairs' ? (narrow !== translated) === dark : at === TURN % ALL_LOOKS.length
})

/** The look for a journey that works in any; all of them with LOOKS. */
export const pickLook = (): readonly PageLook[] => (process.env['LOOKS'] ? RUN_LOOKS : [ALL_LOOKS[nextTurn() % ALL_LOOKS.length]!])

/** Takes turns through the looks of a journey, so that journeys and days together cover all of them; every look with LOOKS=pairs or all. */
export function rotateLooks<T extends object>(looks: readonly T[]): readonly T[] {
  return process.env['LOOKS'] ? looks : [looks[nextTurn() % looks.length]!]
}

/** The day's share of a long list, 1/`shares` of it; all of it with LOOKS. */
export function pickDailyShare<T>(list: readonly T[], shares: number): readonly T[] {
  return process.env['LOOKS'] ? list : list.filter((_, at) => at % shares === TURN % shares)
}

/** `failures` in a whole run, which keeps only screenshots of failed tests: capturing a long page costs as much as loading it. */
const PICTURES = process.env['LOOKS'] ? 'all' : process.env['PICTURES']

function keepFailuresOnly(page: Page): void {
  const take = page.screenshot.bind(page)
  page.screenshot = (options) => (options?.path === undefined || options.path.includes('failed') ? take(options) : Promise.resolve(Buffer.alloc(0)))
}

/**
 * Opens a browser context with a look's size, language and theme. Collects console errors and failed scripts in `problems`, which tests expect to be
 * empty.
 */
export async function openBrowserContext(
  browser: Browser,
  look: PageLook,
  more: Pick<BrowserContextOptions, 'bypassCSP' | 'recordHar'> = {},
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const mobile = look.width === 414
  const options: BrowserContextOptions = {
    viewport: { width: look.width, height: mobile ? 896 : 900 },
    isMobile: mobile,
    hasTouch: mobile,
    colorScheme: look.theme,
    locale: getLocale(look.lang),
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...more,
  }
  const make = async () => {
    const calls = watchHungCalls(console.error)
    const made = await browser.newContext({ logger: calls.logger, ...options })
    calls.watch(browser, { close: made.close.bind(made), once: made.once.bind(made) })
    return made
  }
  const context = await (Object.keys(more).length > 0 ? make() : reuseContext(JSON.stringify(options), make))
  await context.addInitScript(
    ([lang, theme]) => {
      if (localStorage.getItem('test-look')) return
      localStorage.setItem('test-look', '1')
      localStorage.setItem('mx.lang', lang!)
      localStorage.setItem('mx.theme', theme!)
    },
    [look.lang, look.theme],
  )
  await context.addInitScript(RECORD_COPIED_SCRIPT)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  if (PICTURES === 'failures') keepFailuresOnly(page)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`pageerror ${error.message}`))
  page.on('console', (message) => {
    // A network failure that the test caused is not a problem of the page.
    if (message.text().includes('ERR_INTERNET_DISCONNECTED')) return
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`${message.type()} ${message.text()}`)
  })
  attachVisibleText(context, problems)
  return { context, page, problems }
}

/**
 * Violations that axe finds against WCAG 2.2 AA and its best practices, one line each. A page without frames is checked in place (axe-page.ts); the
 * builder, which also checks frames, opens a blank page each time and takes three times as long.
 */
export async function runAxe(page: Page, within?: string): Promise<string[]> {
  if (page.frames().length === 1) return runAxeInPage(page, within)
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags([...AXE_RULES])
    .analyze()
  return violations.map(({ id, nodes }) =>
    formatAxeViolation(
      id,
      nodes.map(({ target }) => target.join(' ')),
    ),
  )
}

/** Pixels by which the page is wider than its window, without the scrollbar's gutter; should be 0. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - Math.ceil(document.documentElement.getBoundingClientRect().width))')
}

/** Reads a download through Playwright's connection: the browser may run remotely, where its files cannot be opened. */
export async function readDownload(download: Download): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Navigates within the open app to `path`, as its links do, and resolves once it is rendered: a full load takes four times as long. */
export async function navigateInApp(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => (globalThis as unknown as { __TSR_ROUTER__: { navigate(to: object): Promise<void> } }).__TSR_ROUTER__.navigate({ href }), path)
}

/** Longest wait for network idle; then the page counts as ready, so that one response the browser never reports fails no test. */
const QUIET_MS = PATIENCE_MS / 4

/** Resolves when the page has fetched nothing for half a second, or after QUIET_MS. */
export async function waitForQuietNetwork(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
}
