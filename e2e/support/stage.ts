import type { Browser, BrowserContext, Page } from 'playwright-core'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { openBrowserContext } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

export const SUPPORT_DESKTOP: PageLook = { width: 1440, lang: DEFAULT_LANG, theme: 'light' }
export const SUPPORT_PHONE: PageLook = { width: 414, lang: DEFAULT_LANG, theme: 'light' }

/** The server's database, and users created in it without a mail or a captcha. */
export function openSupportStage(server: TestServer): { db: Db; person: () => Promise<BuiltUser>; close: () => Promise<void> } {
  const db = connect(server.databaseUrl, { max: 3 })
  const { deps } = createTestApp({ features: [account, notices, risk], db })
  return { db, person: () => aUser(deps), close: () => db.close() }
}

/** Opens a browser context, signed in if a token is given; collects the page's warnings and errors. */
export async function openSupportVisit(browser: Browser, look: PageLook, token?: string): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const opened = await openBrowserContext(browser, look)
  if (token)
    await opened.context.addInitScript((kept) => {
      if (localStorage.getItem('test-session')) return
      localStorage.setItem('test-session', '1')
      // as platform/web/state/storage.ts stores it
      const text = encodeURIComponent(JSON.stringify({ v: kept, e: Date.now() + 86_400_000 }))
      const pad = 'mingxi'
      localStorage.setItem('mx.session', btoa([...text].map((sign, at) => String.fromCharCode(sign.charCodeAt(0) ^ pad.charCodeAt(at % pad.length))).join('')))
    }, token)
  return opened
}

/** Answers or closes a conversation as the operator at /sandbox. */
export async function operateConversation(
  server: TestServer,
  conversationId: string,
  { what, text = '' }: { readonly what: 'answer' | 'close'; readonly text?: string },
): Promise<void> {
  const url = `${server.baseUrl}/sandbox/support/${conversationId}`
  const token = /name="token" value="([\w-]+)"/.exec(await (await fetch(url)).text())![1]!
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, do: what, text }).toString(),
    redirect: 'manual',
  })
  if (reply.status !== 303) throw new Error(`${what}: ${reply.status}`)
}

/** The support button above the page, or the entry in the console's side bar. */
export const locateSupportLauncher = (page: Page) => page.locator('.support-launcher button, aside button[aria-haspopup="dialog"]')
export const locateSupportPanel = (page: Page) => page.locator('.support-panel')
/** Texts of the messages on screen, oldest first. */
export const readMessageTexts = (page: Page) => locateSupportPanel(page).locator('[role="log"] li p[dir="auto"]').allInnerTexts()
export const locateMessageField = (page: Page) => locateSupportPanel(page).locator('textarea')

/** Simulates a sign-out in another tab. */
export async function signOutElsewhere(page: Page): Promise<void> {
  await page.evaluate(`localStorage.removeItem('mx.session'); dispatchEvent(new StorageEvent('storage', { key: 'mx.session', newValue: null }))`)
}
