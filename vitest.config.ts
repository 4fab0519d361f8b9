import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 60_000, hookTimeout: 60_000 }

/**
 * Projects by what they need: nothing, a database, a whole server to itself, a whole server and a browser. Run one with
 * `vitest --project db`.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
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
          include: ['e2e/{sdk,crash}/**/*.test.ts', 'e2e/pages/lighthouse.test.ts'],
          globalSetup: ['platform/testing/global-setup.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'pages',
          include: ['e2e/{pages,journeys,help,support}/**/*.test.ts'],
          exclude: ['e2e/pages/lighthouse.test.ts'],
          globalSetup: ['platform/testing/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
