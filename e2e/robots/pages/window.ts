import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { BROWSER_ARGS, findInstalledChromium } from '#platform/testing/browser.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { seedSession } from '../../signed-in.ts'
import type { RobotPerson } from '../people/person.ts'
import { getLocale } from '#platform/shared/languages.ts'

/** A person's browser window, in their language and size. */
export interface PersonWindow {
  readonly page: Page
  /** Errors in the console since the last call. */
  takeProblems(): string[]
  close(): Promise<void>
}

/** Chromium's own messages about a lost network or an aborted load. */
const HARMLESS = /ERR_INTERNET_DISCONNECTED|ERR_ABORTED|net::ERR_NETWORK_CHANGED/

/** One browser for all people of a run; starts with the first of them. */
export function createPeopleBrowser(): { open(person: RobotPerson, token: string, movedMs: number): Promise<PersonWindow>; close(): Promise<void> } {
  let browser: Promise<Browser> | undefined
  return {
    open: async (person, token, movedMs) => {
      browser ??= chromium.launch({ executablePath: findInstalledChromium(), args: [...BROWSER_ARGS] })
      return openWindow(await (await browser).newContext(toContextLook(person)), person, { token, movedMs })
    },
    close: async () => (await browser)?.close(),
  }
}

const toContextLook = ({ width, lang }: RobotPerson) => ({
  viewport: { width, height: width === 414 ? 896 : 900 },
  isMobile: width === 414,
  hasTouch: width === 414,
  locale: getLocale(lang),
  timezoneId: 'Asia/Shanghai',
  reducedMotion: 'reduce' as const,
  permissions: ['clipboard-read', 'clipboard-write'],
})

async function openWindow(
  context: BrowserContext,
  { lang }: RobotPerson,
  { token, movedMs }: { readonly token: string; readonly movedMs: number },
): Promise<PersonWindow> {
  await context.addInitScript(storeLanguage, lang)
  await context.addInitScript(shiftDate, movedMs)
  await seedSession(context, token)
  context.setDefaultTimeout(PATIENCE_MS / 2)
  const problems: string[] = []
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => problems.push(`pageerror ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && !HARMLESS.test(message.text())) problems.push(`console ${message.text()} ${message.location().url}`)
    })
  }
  context.on('page', watch)
  const page = await context.newPage()
  return { page, takeProblems: () => problems.splice(0), close: () => context.close() }
}

/** A sandboxed frame has no storage. */
const storeLanguage = (language: string): void => {
  if ((globalThis as { origin?: string }).origin !== 'null') localStorage.setItem('mx.lang', language)
}

/** Shifts the browser's clock to the server's; the session, which expires after seven days on that clock, is stored with this time. */
const shiftDate = (ms: number): void => {
  const Wall = Date
  const now = (): number => Wall.now() + ms
  globalThis.Date = new Proxy(Wall, {
    apply: () => new Wall(now()).toString(),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget) as object,
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  })
}
