import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { systemClock } from '#platform/server/clock.ts'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { loadInstallationKeys } from '#platform/server/sealing/installation-key.ts'
import { openBrowser, openBrowserContext } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { BuiltOperator } from '#features/backoffice/server/builders.ts'
import { liftLimitSettings } from './limits.ts'
import { seedSession } from './signed-in.ts'

const SECRET_KEY = Buffer.alloc(32, 'key of the journeys of operators').toString('base64')

export interface ConsoleServer {
  readonly browser: Browser
  /** The customer-facing server. */
  readonly server: TestServer
  /** Origin of the operators' app. */
  readonly origin: string
  readonly db: Db
  /** Dependencies of the operator builders, under the server's key. */
  readonly deps: Deps
  /** A new browser context, signed in as an operator; not signed in if undefined. */
  readonly at: (look: PageLook, who: BuiltOperator | undefined) => Promise<{ page: Page; context: BrowserContext; problems: string[] }>
}

/** Its address has to be known before it starts, so another process may take the port meanwhile. */
async function startOperatorsServer(demo: boolean, left = 3): Promise<{ origin: string; server: TestServer }> {
  const port = await reserveFreePort()
  const origin = `http://localhost:${port}`
  const env = { SECRET_KEY, CONSOLE_PORT: String(port), CONSOLE_URL: origin, DEMO: String(demo) }
  try {
    return { origin, server: await startTestServer({ roles: 'api,worker,sandbox,console', env }) }
  } catch (error) {
    if (left <= 1 || !(error instanceof Error) || !error.message.includes(`port ${port} is taken`)) throw error
    return startOperatorsServer(demo, left - 1)
  }
}

/** Starts a server with a separate operators' origin, and a browser; both end with the test file. `demo`: seeds the demo data. */
export async function startConsoleServer({ demo = false }: { readonly demo?: boolean } = {}): Promise<ConsoleServer> {
  const [browser, { origin, server }] = await Promise.all([openBrowser(), startOperatorsServer(demo)])
  const db = connect(server.databaseUrl, { max: 2 })
  await liftLimitSettings(db)
  afterAll(async () => {
    await db.close()
    await server.stop()
  })
  const secretKey = loadInstallationKeys({ SECRET_KEY, SECRET_KEYS_OTHER: [], STAGE: 'qa' }, '')[0]
  const deps = { db, clock: systemClock, secretKey, secretKeys: [secretKey] } as unknown as Deps
  const at: ConsoleServer['at'] = async (look, who) => {
    const opened = await openBrowserContext(browser, look)
    if (who) await seedSession(opened.context, who.token)
    return opened
  }
  return { browser, server, origin, db, deps, at }
}

/** Paths of all screens, except those of a single row (`/customers/$userId`). Read as text, because the registry imports components. */
export function listScreenPaths(): string[] {
  const source = readFileSync(new URL('../features/backoffice/console/screens.ts', import.meta.url), 'utf8')
  return [...source.matchAll(/\bpath: '(\/[^'$]*)'/g)].map(([, path]) => path!)
}

/** Texts of the operators' pages, by file and key. */
export function createDeskTranslator(lang: Lang): (name: string, key: string, values?: Record<string, unknown>) => string {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../features/backoffice/console/messages/${name}.${lang}.json`, import.meta.url), 'utf8')) as Record<string, string>
  return (name, key, values) => fill(read(name)[key] ?? `no text ${name}.${key}`, values)
}
