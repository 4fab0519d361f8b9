import type { Page } from 'playwright-core'

/** Records the text that each page of a context copies, in addition to copying it. */
export const RECORD_COPIED_SCRIPT = `(() => {
  const { clipboard } = navigator
  const write = clipboard?.writeText.bind(clipboard)
  if (write) clipboard.writeText = (text) => write((globalThis.copied = text))
})()`

/** The text that the page copied last; '' if none. The real clipboard is shared by all tests in the browser. */
export const readCopiedText = (page: Page): Promise<string> => page.evaluate(`globalThis.copied ?? ''`)
