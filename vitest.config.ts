import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './platform/testing/longest-first.ts'
import { PATIENCE_MS } from './platform/testing/patience.ts'
import { PARTS, countWorkers } from './scripts/test/parts.ts'

const DATABASE = 'platform/testing/global-setup.ts'
const PAGES = ['e2e/built-pages.ts', 'e2e/shared-browser.ts', 'e2e/shared-server.ts']

/**
 * A project a part (scripts/test/parts.ts). No test has a time limit of its own: a run is stopped, with the name of the
 * test, when nothing ends any more (scripts/test/run-part.ts). Waits inside tests are as patient as the machine is slow.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: countWorkers('unit'),
    sequence: { sequencer: LongestFirst },
    projects: Object.entries(PARTS).map(([name, { include, exclude, database, browser, shares }]) => ({
      test: {
        name,
        include: [...include],
        exclude: [...exclude],
        isolate: !shares,
        globalSetup: [...(database ? [DATABASE] : []), ...(browser ? PAGES : [])],
        setupFiles: ['scripts/test/worker.ts', ...(name === 'db' ? ['platform/testing/cheap-passwords.ts'] : [])].map((file) =>
          join(import.meta.dirname, file),
        ),
        testTimeout: 0,
        hookTimeout: 0,
        teardownTimeout: 10 * PATIENCE_MS,
        // a look into a page goes through four processes
        expect: { poll: { timeout: PATIENCE_MS, interval: browser ? 100 : 20 } },
        // pages are looked at one after another: Lighthouse measures
        ...(name === 'wide' ? { fileParallelism: false } : {}),
      },
    })),
  },
})
