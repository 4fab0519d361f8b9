import type { Page } from 'playwright-core'

/**
 * Pastes text into the focused field with the event that a browser sends. All pages of a browser share the real clipboard: a parallel test
 * could write to it between copy and paste.
 */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
}
