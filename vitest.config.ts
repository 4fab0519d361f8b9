import { defineConfig } from 'vitest/config'
import { LongestFirst } from './platform/testing/longest-first.ts'

const slow = { testTimeout: 60_000, hookTimeout: 60_000 }

/** Pages that are looked at with each change; the others, with Lighthouse, belong to `wide`. */
const EACH_CHANGE = ['e2e/pages/{looks,states,shell}.test.ts']

/**
 * Projects by what they need: nothing, a database, a whole server to itself, a whole server and a browser. Run one with
 * `vitest --project db`. `npm test` runs all but `wide`, which `npm run e2e` adds.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{platform,features,ui,scripts,apps,bench}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      { test: { name: 'db', include: ['{platform,features,apps}/**/*.db.test.ts'], globalSetup: ['platform/testing/global-setup.ts'], ...slow } },
      {
        test: {
          name: 'e2e',
          include: ['e2e/{sdk,crash,nodes,routing}/**/*.test.ts'],
          globalSetup: ['platform/testing/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['e2e/conformance/**/*.test.ts'],
          globalSetup: ['platform/testing/global-setup.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'pages',
          include: ['e2e/journeys/**/*.test.ts', ...EACH_CHANGE],
          globalSetup: ['platform/testing/global-setup.ts', 'e2e/built-pages.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // two browsers, two servers and a database on two cores: what fails once is asked again, and told at the end of the run
          retry: 1,
        },
      },
      {
        test: {
          name: 'wide',
          include: ['e2e/{pages,help,support}/**/*.test.ts'],
          exclude: EACH_CHANGE,
          globalSetup: ['platform/testing/global-setup.ts', 'e2e/built-pages.ts'],
          fileParallelism: false,
          // waits inside a test end sooner; a whole one takes as long as a busy machine needs
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
