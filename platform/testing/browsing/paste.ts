import type { Page } from 'playwright-core'

/**
 * Pastes a text into the focused field by the event that a browser sends. The real clipboard belongs to all pages of a browser: a test beside
 * this one could write to it between the copy and the paste.
 */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
}
