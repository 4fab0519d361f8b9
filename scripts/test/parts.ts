import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Part {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** It needs PostgreSQL, and a browser. */
  readonly database: boolean
  readonly browser: boolean
  /** Its files often wait, for servers that start and end, for pages that fall silent: so many more of them run at once. */
  readonly more: number
  /** Its files share processes, and what these have loaded: loading the server again for each costs more than most files do. */
  readonly shares: boolean
}
export type PartName = keyof typeof PARTS

/** Pages that are looked at with each change; the others, with Lighthouse, belong to `wide`. */
const EACH_CHANGE = ['e2e/pages/{looks,states,shell,cards}.test.ts']

/** Files that count the steps of code need a process of their own: V8 counts inside functions only that it compiles after counting began. */
const COUNTS_STEPS = ['bench/fuzz/corpus.test.ts']

const part = (include: readonly string[], { exclude = [], database = false, browser = false, more = 0, shares = false }: Partial<Part> = {}): Part => ({
  include,
  exclude,
  database,
  browser,
  more,
  shares,
})

/** The parts of the suite by what they need, in the order in which their failures are cheapest to read. Vitest's projects are these. */
export const PARTS = {
  unit: part(['{platform,features,ui,scripts,apps,bench}/**/*.test.{ts,tsx}'], {
    exclude: ['**/*.db.test.ts', '**/node_modules/**', ...COUNTS_STEPS],
    more: 3,
    shares: true,
  }),
  steps: part(COUNTS_STEPS),
  db: part(['{platform,features,apps}/**/*.db.test.ts'], { database: true, more: 2, shares: true }),
  pages: part(['e2e/{journeys,robots}/**/*.test.ts', ...EACH_CHANGE], { database: true, browser: true, more: 3, shares: true }),
  e2e: part(['e2e/{sdk,crash,nodes,routing,help,release}/**/*.test.ts'], { database: true, more: 2, shares: true }),
  wide: part(['e2e/{pages,support}/**/*.test.ts'], { exclude: EACH_CHANGE, database: true, browser: true }),
  conformance: part(['e2e/conformance/**/*.test.ts'], { database: true }),
} as const satisfies Record<string, Part>

/**
 * Files that put something of theirs in the place of what a process has once, or go by what it has not: they load the server anew, and so does
 * the file after them.
 */
export const STANDS_IN: ReadonlySet<string> = new Set([
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

/** What opens a browser, or draws with the font that has Chinese and comes with it. */
const DRAWS = /from '[^']*\/(browser|papers)\.ts'/
/** Whether the machine must have Chromium and its font for these files, whichever part they belong to. */
export const needsBrowser = (name: PartName, files: readonly string[]): boolean =>
  PARTS[name].browser || files.some((file) => DRAWS.test(readFileSync(join(ROOT, file), 'utf8')))

/** What a run with the wide suites asks of the others: `npm run e2e` plays a card's whole life, and each step survives a reload (journeys/stays.ts). */
export const WITH_WIDE = { CARD_LIFE: 'whole', STEPS: 'hard' } as const
/** What `npm test` runs; `npm run e2e` and `npm run conformance` name theirs. */
export const EVERY_CHANGE: readonly PartName[] = ['unit', 'steps', 'db', 'pages', 'e2e']

/** Files of a part that run at once: two, and up to four where there are cores for them; more where each of them leaves its core idle for much of the time. */
export function workersOf(name: PartName, cores = availableParallelism()): number {
  return Math.min(4, Math.max(2, cores)) + PARTS[name].more
}

/** Files of a part, relative to the repository. */
export function filesOf(name: PartName, root = ROOT): string[] {
  const { include, exclude } = PARTS[name]
  const left = new Set(exclude.length ? globSync([...exclude], { cwd: root, exclude: skipped }) : [])
  return globSync([...include], { cwd: root, exclude: skipped })
    .filter((file) => !left.has(file))
    .toSorted()
}

const skipped = (name: string): boolean => name === 'node_modules'
