import type { Browser, BrowserContext, Logger } from 'playwright-core'
import { PATIENCE_MS } from '../patience.ts'

/** Longer than any call: waiting calls time out after PATIENCE_MS, a few after three times that, and the others return at once. */
const HUNG_MS = 4 * PATIENCE_MS
const CLOSING_MS = 10_000

/**
 * Detects hung Playwright calls. Some have no timeout (`page.evaluate`, `locator.count`, `context.close`), so a test that awaits one never ends if
 * the browser does not answer. Pass `logger` to the context; after `watch`, a hung call is reported by name and fails when its context, or if need be
 * the connection, is closed.
 */
export function watchHungCalls(
  tell: (line: string) => void,
  limitMs = HUNG_MS,
  now = () => performance.now(),
): { logger: Logger; watch(browser: Browser, context: Pick<BrowserContext, 'close' | 'once'>): void } {
  const open = new Map<string, number[]>()
  const logger: Logger = {
    isEnabled: (name) => name === 'api',
    log: (_name, _severity, message) => {
      const [, way, call] = /^(=>|<=) (\S+) (?:started|succeeded|failed)/.exec(String(message)) ?? []
      if (way === '=>') open.set(call!, [...(open.get(call!) ?? []), now()])
      else if (way === '<=') open.set(call!, (open.get(call!) ?? []).slice(1))
    },
  }
  return {
    logger,
    watch(browser, context) {
      const timer = setInterval(() => {
        const [hung] = [...open].find(([, [since]]) => since !== undefined && now() - since > limitMs) ?? []
        if (hung === undefined) return
        clearInterval(timer)
        tell(`${hung} did not end within ${Math.round(limitMs / 1000)} s: its context was closed`)
        const quietly = (closing: Promise<void>) => closing.catch(() => undefined)
        const giveUp = setTimeout(() => void quietly(browser.close()), CLOSING_MS)
        void quietly(context.close()).then(() => clearTimeout(giveUp))
      }, limitMs / 20).unref()
      context.once('close', () => clearInterval(timer))
    },
  }
}
