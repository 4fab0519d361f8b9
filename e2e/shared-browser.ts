import { chromium } from 'playwright-core'
import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { BROWSER_ARGS, chromiumPath } from '#platform/testing/browser-path.ts'

let server: BrowserServer

/** One browser for all files of a part; each test has contexts of its own in it. */
export async function setup(project: TestProject): Promise<void> {
  server = await chromium.launchServer({
    executablePath: chromiumPath(),
    args: [...BROWSER_ARGS],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  project.provide('browserAt', server.wsEndpoint())
}

export const teardown = (): Promise<void> => server.close()
