import { defineConfig } from 'vitest/config'

const slow = { testTimeout: 60_000, hookTimeout: 60_000 }

/** Projects by what they need: nothing, a database, a whole server. Run one with `vitest --project db`. */
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
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['platform/testing/global-setup.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
