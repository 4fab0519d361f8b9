import type { Page } from 'playwright-core'

/** For each page of a context: keeps what it copies, beside copying it. */
export const KEEP_COPIED = `(() => {
  const { clipboard } = navigator
  const write = clipboard?.writeText.bind(clipboard)
  if (write) clipboard.writeText = (text) => write((globalThis.copied = text))
})()`

/** What the page copied last, '' before. The clipboard itself is one for the whole browser, and with it for all tests that run at once. */
export const copied = (page: Page): Promise<string> => page.evaluate(`globalThis.copied ?? ''`)
