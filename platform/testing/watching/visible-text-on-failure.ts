import type { BrowserContext, Page } from 'playwright-core'
import { onTestFailed } from 'vitest'

const READ_TIMEOUT_MS = 5_000
const MAX_TEXT_CHARS = 400

/** Adds the visible text of this context's pages to the message of a failing test, because CI machines keep no screenshots. */
export function attachVisibleText(context: BrowserContext, problems: readonly string[]): void {
  try {
    onTestFailed(async ({ task }) => {
      const seen = [...(await Promise.all(context.pages().map(readVisibleText))), ...problems.slice(-3)].filter(Boolean)
      for (const error of task.result?.errors ?? []) error.message = appendVisibleText(error.message, seen)
    })
  } catch {
    // The context was opened in a hook for several tests, so the failing one is unknown here.
  }
}

/** Inserted after the first line, which a run repeats at its end. */
function appendVisibleText(message: string, seen: readonly string[]): string {
  const [first = '', ...others] = message.split('\n')
  return [seen.length ? `${first} [seen: ${seen.join('; ')}]` : first, ...others].join('\n')
}

/** Text of the topmost layer: a dialog, else the page's main content. */
const VISIBLE_TEXT_SCRIPT = `(document.querySelector('[role="alertdialog"],[role="dialog"]') ?? document.querySelector('main') ?? document.body).innerText`

async function readVisibleText(page: Page): Promise<string> {
  const text = await Promise.race([
    page.evaluate<string>(VISIBLE_TEXT_SCRIPT).catch(() => 'no answer'),
    new Promise<string>((done) => setTimeout(() => done('no answer'), READ_TIMEOUT_MS).unref()),
  ])
  return `${page.url().replace(/^\w+:\/\/[^/]+/, '')} ${text.replaceAll(/\s+/g, ' ').slice(0, MAX_TEXT_CHARS)}`
}
