import { chromium } from 'playwright-core'
import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { BROWSER_ARGS, findInstalledChromium } from '#platform/testing/browser-path.ts'

/** A new page of a kept context is drawn where the one before it was (platform/testing/browsing/kept-contexts.ts). */
const SAME_PROCESS_OPTION = '--process-per-site'
/** A page lives for seconds here: what V8 would win by compiling its scripts once more costs an eighth of all a browser does. */
const NO_OPTIMIZATION_OPTION = '--js-flags=--no-opt,--no-maglev'
/**
 * Drawing and the network in the browser's own process: a tenth of all a run of pages costs is what processes tell each other. Only the last of
 * two such lists counts, so Playwright's own are in it.
 */
const FEWER_PROCESSES_OPTIONS = ['--in-process-gpu', '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies']
let server: BrowserServer

/** One browser for all files of a part; each test has contexts of its own in it. */
export async function setup(project: TestProject): Promise<void> {
  server = await chromium.launchServer({
    executablePath: findInstalledChromium(),
    args: [...BROWSER_ARGS, NO_OPTIMIZATION_OPTION, SAME_PROCESS_OPTION, ...FEWER_PROCESSES_OPTIONS],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  project.provide('browserAt', server.wsEndpoint())
}

export const teardown = (): Promise<void> => server.close()
