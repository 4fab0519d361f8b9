import type { BrowserContext, Page } from 'playwright-core'
import { onTestFailed } from 'vitest'

const LOOK_MS = 5_000
const LENGTH = 400

/** Adds the visible text of this context's pages to the message of a failing test, because CI machines keep no screenshots. */
export function tellWhatWasSeen(context: BrowserContext, problems: readonly string[]): void {
  try {
    onTestFailed(async ({ task }) => {
      const seen = [...(await Promise.all(context.pages().map(shown))), ...problems.slice(-3)].filter(Boolean)
      for (const error of task.result?.errors ?? []) error.message = withSeen(error.message, seen)
    })
  } catch {
    // opened in a hook, for several tests: which of them fails is not known here
  }
}

/** After the first line, which is the one that a run repeats at its end. */
function withSeen(message: string, seen: readonly string[]): string {
  const [first = '', ...others] = message.split('\n')
  return [seen.length ? `${first} [seen: ${seen.join('; ')}]` : first, ...others].join('\n')
}

/** Text of the topmost layer: a dialog, else the page's main content. */
const WORDS = `(document.querySelector('[role="alertdialog"],[role="dialog"]') ?? document.querySelector('main') ?? document.body).innerText`

async function shown(page: Page): Promise<string> {
  const text = await Promise.race([
    page.evaluate<string>(WORDS).catch(() => 'no answer'),
    new Promise<string>((done) => setTimeout(() => done('no answer'), LOOK_MS).unref()),
  ])
  return `${page.url().replace(/^\w+:\/\/[^/]+/, '')} ${text.replaceAll(/\s+/g, ' ').slice(0, LENGTH)}`
}
