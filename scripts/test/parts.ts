import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export const TEST_ROOT = join(import.meta.dirname, '../..')

export interface TestPart {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** It needs PostgreSQL, or a browser. */
  readonly database: boolean
  readonly browser: boolean
  /** Number of additional files that run in parallel, because its files often wait for servers or pages. */
  readonly more: number
  /** Its files share processes and loaded modules: loading the server again for each costs more than most files do. */
  readonly shares: boolean
}
export type PartName = keyof typeof PARTS

/** Pages that are checked with each change; the others, with Lighthouse, belong to `wide`. */
const CHANGE_PAGES = ['e2e/pages/{looks,states,shell,cards}.test.ts']

/** Files that count steps of code need a separate process: V8 counts only in functions that it compiles after counting began. */
const STEP_COUNTING_FILES = ['bench/fuzz/corpus.test.ts']

const definePart = (
  include: readonly string[],
  { exclude = [], database = false, browser = false, more = 0, shares = false }: Partial<TestPart> = {},
): TestPart => ({
  include,
  exclude,
  database,
  browser,
  more,
  shares,
})

/** The parts of the suite by their requirements, ordered so that the cheapest failures come first. Each is a Vitest project. */
export const PARTS = {
  unit: definePart(['{platform,features,ui,scripts,stand-ins,apps,bench}/**/*.test.{ts,tsx}'], {
    exclude: ['**/*.db.test.ts', '**/node_modules/**', ...STEP_COUNTING_FILES],
    more: 3,
    shares: true,
  }),
  steps: definePart(STEP_COUNTING_FILES),
  db: definePart(['{platform,features,apps}/**/*.db.test.ts'], { database: true, more: 2, shares: true }),
  pages: definePart(['e2e/{journeys,robots}/**/*.test.ts', ...CHANGE_PAGES], { database: true, browser: true, more: 3, shares: true }),
  e2e: definePart(['e2e/{sdk,crash,nodes,routing,help,release}/**/*.test.ts'], { database: true, more: 2, shares: true }),
  wide: definePart(['e2e/{pages,support}/**/*.test.ts'], { exclude: CHANGE_PAGES, database: true, browser: true }),
  conformance: definePart(['e2e/conformance/**/*.test.ts'], { database: true }),
} as const satisfies Record<string, TestPart>

/** Files that replace process-wide state or depend on its absence: these files and the ones after them load the server again. */
export const STATE_REPLACING_FILES: ReadonlySet<string> = new Set([
  'apps/server/unfinished.db.test.ts',
  'apps/web/dev-panel/api-choice.test.ts',
  'features/account/server/sign-in/enumeration.db.test.ts',
  'features/account/web/auth/google/google.test.ts',
  'features/gateway/web/overview/overview-live.test.ts',
  'features/payments/server/paying/abandon-order.db.test.ts',
  'features/payments/server/orders/balance-pay.db.test.ts',
  'features/payments/server/orders/create-order.db.test.ts',
  'features/payments/server/orders/discount.db.test.ts',
  'features/payments/server/orders/orders.db.test.ts',
  'features/payments/server/refunds/settle-dispute.db.test.ts',
  'features/payments/web/funds/summary-live.test.ts',
  'features/services/server/services.db.test.ts',
  'features/wallet/server/funds/funds.db.test.ts',
  'platform/server/http/public-call.test.ts',
])

/** Imports of files that open a browser, or draw with the Chinese font that is installed with it. */
const BROWSER_IMPORT = /from '[^']*\/(browser|papers)\.ts'/
/** True if these files need Chromium and its font, in whatever part. */
export const needsBrowser = (name: PartName, files: readonly string[]): boolean =>
  PARTS[name].browser || files.some((file) => BROWSER_IMPORT.test(readFileSync(join(TEST_ROOT, file), 'utf8')))

/**
 * Environment of the other parts in a run with the wide suites: `npm run e2e` plays a card's whole life, and each step survives a reload
 * (journeys/pay-visit.ts).
 */
export const WIDE_ENV = { CARD_LIFE: 'whole', STEPS: 'hard' } as const
/** Parts of `npm test`; `npm run e2e` and `npm run conformance` name their own. */
export const CHANGE_PARTS: readonly PartName[] = ['unit', 'steps', 'db', 'pages', 'e2e']

/**
 * Number of a part's files that run in parallel: two to four, by the number of cores, plus the part's `more` for files that leave their core idle.
 */
export function countWorkers(name: PartName, cores = availableParallelism()): number {
  return Math.min(4, Math.max(2, cores)) + PARTS[name].more
}

/** Files of a part, relative to the repository. */
export function listTestFiles(name: PartName, root = TEST_ROOT): string[] {
  const { include, exclude } = PARTS[name]
  const left = new Set(exclude.length ? globSync([...exclude], { cwd: root, exclude: isSkipped }) : [])
  return globSync([...include], { cwd: root, exclude: isSkipped })
    .filter((file) => !left.has(file))
    .toSorted()
}

const isSkipped = (name: string): boolean => name === 'node_modules'
