import type { BrowserContext } from 'playwright-core'

/** Maximum contexts kept for reuse; each keeps a renderer alive. */
const MAX_KEPT = 4
/** Contexts ready for reuse, oldest first, with their fixed options. */
const readyContexts = new Map<BrowserContext, string>()
/** The real `close` of each context. */
const realCloses = new WeakMap<BrowserContext, () => Promise<void>>()

/** Events that tests listen to on a context. */
const LISTENED_EVENTS = [
  'page',
  'request',
  'response',
  'requestfinished',
  'requestfailed',
  'console',
  'dialog',
  'weberror',
  'serviceworker',
  'download',
] as const
/** Methods with effects that cannot be undone: a context on which one was called is not reused. */
const SPOILING_METHODS = ['exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders', 'setGeolocation', 'grantPermissions', 'clearPermissions'] as const
const BLANK = 'about:blank'
const BLANK_MS = 10_000

export const isContextReady = (context: BrowserContext): boolean => readyContexts.has(context)
/** Call when the browser connection is lost. */
export const dropReadyContexts = (): void => readyContexts.clear()

/**
 * Returns a context with these options: one that an earlier test of this process has closed, emptied, else a new one. Starting a renderer and
 * compiling every script are half of the cost of a first page, and a reused context has done both. A test ends its use with `context.close()`, which
 * really closes the context if its changes cannot be undone.
 */
export async function reuseContext(kind: string, make: () => Promise<BrowserContext>): Promise<BrowserContext> {
  const known = [...readyContexts].find(([, its]) => its === kind)?.[0]
  if (known) {
    readyContexts.delete(known)
    return known
  }
  const context = await make()
  const end = context.close.bind(context)
  realCloses.set(context, end)
  const used = watchContext(context)
  context.close = async (...given) => {
    if (readyContexts.has(context) || !(await used.emptied().catch(() => false))) {
      readyContexts.delete(context)
      return end(...given)
    }
    readyContexts.set(context, kind)
    const [oldest] = readyContexts.keys()
    if (readyContexts.size > MAX_KEPT && oldest) await oldest.close()
  }
  return context
}

/** Really closes a context, even one kept for reuse. */
export const closeContext = (context: BrowserContext): Promise<void> => (realCloses.get(context) ?? context.close.bind(context))()

/** Tracks a test's changes to a context. `emptied` undoes them; false if it cannot. */
function watchContext(context: BrowserContext): { emptied(): Promise<boolean> } {
  let [isSpoilt, wasOffline] = [false, false]
  const origins = new Set<string>()
  const scripts: Parameters<BrowserContext['addInitScript']>[] = []
  const spoils = (holder: object, name: string) => {
    const work = (Reflect.get(holder, name) as (...given: unknown[]) => unknown).bind(holder)
    Reflect.set(holder, name, (...given: unknown[]) => {
      isSpoilt = true
      return work(...given)
    })
  }
  for (const name of SPOILING_METHODS) spoils(context, name)
  spoils(context.clock, 'install')
  const newPage = context.newPage.bind(context)
  const setOffline = context.setOffline.bind(context)
  const hear = () =>
    context.on('page', (page) =>
      page.on('framenavigated', (frame) => {
        if (frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin)
      }),
    )
  hear()
  // A context's init script also applies to its later pages; a page's own script ends with the page.
  Reflect.set(context, 'addInitScript', async (...script: Parameters<BrowserContext['addInitScript']>) => {
    scripts.push(script)
    for (const page of context.pages()) await page.addInitScript(...script)
  })
  context.newPage = async () => {
    const page = await newPage()
    for (const script of scripts) await page.addInitScript(...script)
    return page
  }
  context.setOffline = (offline) => {
    wasOffline ||= offline
    return setOffline(offline)
  }
  return {
    async emptied() {
      const [anchor, ...others] = context.pages()
      if (isSpoilt || !anchor || context.serviceWorkers().length > 0) return false
      for (const name of LISTENED_EVENTS) context.removeAllListeners(name)
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      if (wasOffline) await setOffline(false)
      // The empty page stays in its renderer process, so the next page of the same site uses that process too.
      await anchor.unrouteAll({ behavior: 'ignoreErrors' })
      if (anchor.url() !== BLANK) await Promise.all([anchor.waitForURL(BLANK, { timeout: BLANK_MS }), anchor.evaluate(`location.replace('${BLANK}')`)])
      await Promise.all(others.map((page) => page.close()))
      const session = await context.newCDPSession(anchor)
      for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      await session.detach()
      await context.clearCookies()
      scripts.length = 0
      wasOffline = false
      origins.clear()
      hear()
      return true
    },
  }
}
