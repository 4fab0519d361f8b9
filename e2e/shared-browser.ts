import { chromium } from 'playwright-core'
import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { BROWSER_ARGS, findInstalledChromium } from '#platform/testing/browser.ts'

/** Renders a new page of a kept context in the process of the previous one (platform/testing/browsing/kept-contexts.ts). */
const SAME_PROCESS_OPTION = '--process-per-site'
/**
 * Disables V8's optimizing compilers: pages live for seconds here, and compiling their scripts again costs an eighth of the browser's total
 * time.
 */
const NO_OPTIMIZATION_OPTION = '--js-flags=--no-opt,--no-maglev'
/**
 * Runs rendering and the network in the browser's own process: inter-process communication is a tenth of a run's total cost. Chromium reads
 * only the last of two such lists, so this one includes Playwright's own.
 */
const FEWER_PROCESSES_OPTIONS = ['--in-process-gpu', '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies']
let server: BrowserServer

/** One browser for all files of a part; each test has separate contexts in it. */
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
