/** A planted violation: the rule that must refuse it, the file, its import, and a twin that the rule must allow. */
export interface BoundaryPlant {
  readonly rule: string
  readonly file: string
  readonly bad: string
  readonly good: string
}

const plant = (rule: string, file: string, { bad, good }: { readonly bad: string; readonly good: string }): BoundaryPlant => ({ rule, file, bad, good })

/** `bad` and `good` are import specifiers, preceded by `type` for type-only imports; the twin is beside the plant as `<file>-twin`. */
export const boundaryPlants: readonly BoundaryPlant[] = [
  plant('shared-stays-pure', 'platform/shared/planted.ts', { bad: 'undici', good: 'zod' }),
  plant('shared-stays-pure', 'platform/shared/planted-up.ts', { bad: '#platform/server/log.ts', good: './money.ts' }),
  plant('contract-stays-pure', 'features/wallet/contract-planted.ts', { bad: 'undici', good: 'zod' }),
  plant('contract-stays-pure', 'features/wallet/planted.ts', { bad: './server/data.ts', good: './messages/zh.json' }),
  plant('contract-stays-pure', 'features/wallet/texts-planted.ts', { bad: '#features/notices/messages/zh.json', good: '#features/notices/contract.ts' }),
  plant('platform-knows-no-feature', 'platform/server/planted.ts', { bad: '#features/wallet/contract.ts', good: '#platform/shared/money.ts' }),
  plant('platform-knows-no-feature', 'ui/planted.tsx', { bad: '#features/wallet/contract.ts', good: '#platform/web/calls/api.ts' }),
  plant('shells-are-not-imported', 'features/wallet/web/planted-shell.tsx', { bad: '#apps/web/router.tsx', good: '#platform/web/calls/api.ts' }),
  plant('browser-not-server', 'features/wallet/web/planted-server.tsx', { bad: '#features/wallet/server/data.ts', good: '#features/wallet/contract.ts' }),
  plant('browser-not-server', 'ui/planted-server.tsx', { bad: '#platform/server/log.ts', good: '#platform/web/calls/api.ts' }),
  plant('browser-not-drivers', 'apps/web/planted.tsx', { bad: 'pg', good: 'react' }),
  plant('browser-not-node', 'platform/web/planted.ts', { bad: 'node:fs', good: '#platform/shared/money.ts' }),
  plant('server-not-pages', 'features/wallet/server/planted-pages.ts', { bad: '#features/wallet/web/index.tsx', good: '#features/wallet/contract.ts' }),
  plant('server-not-pages', 'platform/server/planted-react.ts', { bad: 'react', good: 'undici' }),
  plant('customer-bundle-no-console', 'features/wallet/web/planted-console.tsx', {
    bad: '#features/wallet/contract.console.ts',
    good: '#features/wallet/contract.ts',
  }),
  plant('customer-bundle-no-console', 'apps/web/planted-console.tsx', { bad: '#features/wallet/console/index.tsx', good: '#features/wallet/web/index.tsx' }),
  plant('console-is-apart', 'features/wallet/contract-of-operators.ts', { bad: './contract.console.ts', good: './contract.ts' }),
  plant('neighbour-by-door', 'features/payments/server/planted.ts', { bad: '#features/wallet/server/data.ts', good: '#features/wallet/server/door.ts' }),
  plant('neighbour-by-door', 'features/payments/server/planted-index.ts', { bad: '#features/wallet/server/index.ts', good: '#features/wallet/contract.ts' }),
  plant('neighbour-by-door-in-tests', 'features/payments/server/planted.test.ts', {
    bad: '#features/wallet/server/data.ts',
    good: '#features/wallet/server/builders.ts',
  }),
  plant('neighbour-pages-closed', 'features/payments/web/planted.tsx', { bad: '#features/wallet/web/index.tsx', good: '#features/wallet/contract.ts' }),
  plant('neighbour-pages-closed', 'features/payments/web/planted-part.tsx', { bad: '#features/wallet/web/page.tsx', good: '#features/wallet/web/door.ts' }),
  plant('door-is-for-servers', 'features/payments/web/planted-door.tsx', { bad: '#features/wallet/server/door.ts', good: '#features/wallet/contract.ts' }),
  plant('shell-imports-index', 'apps/server/planted.ts', { bad: '#features/wallet/server/data.ts', good: '#features/wallet/server/index.ts' }),
  plant('shell-imports-index', 'apps/web/planted-page.tsx', { bad: '#features/wallet/web/page.tsx', good: '#features/wallet/web/index.tsx' }),
  plant('seeds-use-builders', 'apps/server/seeds/planted.ts', { bad: '#features/wallet/server/data.ts', good: '#features/wallet/server/builders.ts' }),
  plant('builders-never-ship', 'features/wallet/server/planted-builders.ts', { bad: './builders.ts', good: './data.ts' }),
  plant('stand-ins-stand-alone', 'stand-ins/lithic/planted.ts', { bad: '#platform/shared/money.ts', good: '#stand-ins/kit/server.ts' }),
  plant('stand-ins-never-ship', 'features/wallet/server/planted-stand-in.ts', { bad: '#stand-ins/kit/server.ts', good: '#platform/server/log.ts' }),
  plant('testing-never-ships', 'features/wallet/server/planted-testing.ts', { bad: '#platform/testing/db.ts', good: '#platform/server/log.ts' }),
  plant('vendor-by-registry', 'features/payments/server/planted-vendor.ts', { bad: './vendors/stripe/index.ts', good: './vendors/index.ts' }),
  plant('vendor-by-registry-in-tests', 'e2e/planted.test.ts', {
    bad: '#features/payments/server/vendors/stripe/index.ts',
    good: '#features/payments/server/vendors/sandbox/index.ts',
  }),
  plant('vendor-sees-little', 'features/payments/server/vendors/stripe/planted.ts', { bad: '../sandbox/index.ts', good: './index.ts' }),
  plant('vendor-sees-little', 'features/payments/server/vendors/stripe/planted-db.ts', {
    bad: '#platform/server/database/db.ts',
    good: '#platform/server/http/http-client.ts',
  }),
  plant('vendor-sees-little', 'features/payments/server/vendors/stripe/planted-data.ts', { bad: '../../data.ts', good: '../port.ts' }),
  plant('vendor-by-registry', 'features/payments/server/payouts/planted-vendor.ts', { bad: './vendors/bank/index.ts', good: './vendors/index.ts' }),
  plant('vendor-sees-little', 'features/payments/server/payouts/vendors/bank/planted.ts', { bad: '../../../data.ts', good: '../port.ts' }),
  plant('sandbox-sees-little', 'features/payments/server/vendors/sandbox/planted.ts', { bad: '../../data.ts', good: '#platform/server/database/db.ts' }),
  plant('shown-is-for-browsers', 'features/payments/server/vendors/stripe/shown.ts', { bad: '../port.ts', good: 'type ../port.ts' }),
  plant('queries-in-data', 'features/wallet/server/planted-query.ts', { bad: 'pg', good: './data.ts' }),
  plant('queries-in-data', 'apps/server/planted-query.ts', { bad: 'pg', good: '#platform/server/database/db.ts' }),
  plant('hot-path-is-bare', 'features/gateway/server/hot/planted.ts', { bad: '#platform/server/log.ts', good: 'node:net' }),
  plant('hot-path-is-bare', 'features/gateway/server/hot/planted-undici.ts', { bad: 'undici', good: './deps.ts' }),
  plant('hot-sockets-are-bare', 'features/gateway/server/hot/sockets/planted.ts', { bad: 'undici', good: 'ws' }),
  plant('hot-path-is-bare', 'features/gateway/server/hot/planted-ws.ts', { bad: 'ws', good: './deps.ts' }),
  plant('hot-path-is-bare', 'features/gateway/server/hot/planted-up.ts', { bad: '../journal/data-posting.ts', good: './deps.ts' }),
  plant('hot-path-reaches-no-zod', 'features/gateway/server/hot/planted-zod.ts', { bad: '#platform/shared/contract.ts', good: '#platform/shared/money.ts' }),
  plant('server-needs-dependencies', 'platform/server/planted-dev.ts', { bad: 'vite', good: 'undici' }),
  plant('knock-wallet', 'features/wallet/server/planted-knock.ts', { bad: '#features/payments/server/door.ts', good: './door.ts' }),
  plant('knock-payments', 'features/payments/server/planted-knock.ts', { bad: '#features/gateway/server/door.ts', good: '#features/wallet/server/door.ts' }),
  plant('knock-gateway', 'features/gateway/server/planted-knock.ts', { bad: '#features/newcomer/server/door.ts', good: '#features/wallet/server/door.ts' }),
  plant('knock-unlisted', 'features/newcomer/server/planted-knock.ts', { bad: '#features/wallet/server/door.ts', good: './door.ts' }),
  plant('no-cycles', 'platform/server/planted-cycle.ts', { bad: './cycle-back.ts', good: './log.ts' }),
  plant('no-cycles', 'features/gateway/server/hot/planted-types.ts', { bad: 'type ./types-step.ts', good: 'type ./deps.ts' }),
  plant('resolvable', 'platform/server/planted-nowhere.ts', { bad: '#platform/server/nowhere.ts', good: '#platform/server/log.ts' }),
]

/** Files that no rule may refuse: each has an exemption from a rule. */
export const legalImports: readonly (readonly [file: string, imported: string])[] = [
  ['features/backoffice/server/search.ts', '#features/wallet/server/door.ts'],
  ['features/gateway/server/journal/data-posting.ts', 'pg'],
  ['features/wallet/server/data-holds.ts', 'pg'],
  ['features/payments/server/vendors/sandbox/data.ts', 'pg'],
  ['features/payments/server/builders.ts', '#features/wallet/server/builders.ts'],
  ['apps/console/main.tsx', '#features/wallet/console/index.tsx'],
  ['features/wallet/server/console-routes.ts', '../contract.console.ts'],
  ['features/wallet/server/wallet.test.ts', '#platform/testing/db.ts'],
]

/** Files that the planted violations import. */
export const plantedFiles: Readonly<Record<string, string>> = {
  'platform/shared/money.ts': 'export const money = 1n',
  'platform/shared/contract.ts': `export { z } from 'zod'`,
  'platform/server/log.ts': `export const log = 1\nexport type { Row } from './db.ts'`,
  'platform/server/database/db.ts': `import 'pg'\nexport type Row = string`,
  'platform/server/http/http-client.ts': `export { request } from 'undici'`,
  'platform/server/cycle-back.ts': `export { planted } from './planted-cycle.ts'`,
  'features/gateway/server/hot/types-step.ts': `export type { Planted } from './types-back.ts'`,
  'features/gateway/server/hot/types-back.ts': `import type { planted } from './planted-types.ts'\nexport type Planted = typeof planted`,
  'stand-ins/kit/server.ts': 'export const server = 1',
  'platform/testing/db.ts': `export { log } from '#platform/server/log.ts'`,
  'platform/web/calls/api.ts': `export { money } from '#platform/shared/money.ts'`,
  'apps/web/router.tsx': `export { money } from '#platform/shared/money.ts'`,
  'features/notices/messages/zh.json': '{}',
  'features/notices/contract.ts': `export { z } from 'zod'`,
  'features/notices/server/door.ts': `export { log } from '#platform/server/log.ts'`,
  'features/newcomer/server/door.ts': `export { log } from '#platform/server/log.ts'`,
  'features/wallet/contract.ts': `export { z } from 'zod'`,
  'features/wallet/contract.console.ts': `export { z } from 'zod'`,
  'features/wallet/messages/zh.json': '{}',
  'features/wallet/server/data.ts': `export { Pool } from 'pg'`,
  'features/wallet/server/door.ts': `export { Pool } from './data.ts'`,
  'features/wallet/server/index.ts': `export { Pool } from './data.ts'`,
  'features/wallet/server/builders.ts': `export { Pool } from './door.ts'`,
  'features/wallet/web/index.tsx': `export { page } from './page.tsx'`,
  'features/wallet/web/door.ts': `export { page } from './page.tsx'`,
  'features/wallet/web/page.tsx': `import 'react'\nexport const page = 1`,
  'features/wallet/console/index.tsx': `export { z } from '../contract.console.ts'`,
  'features/payments/server/data.ts': `export { Pool } from 'pg'`,
  'features/payments/server/door.ts': `export { Pool } from './data.ts'`,
  'features/payments/server/vendors/port.ts': `export { money } from '#platform/shared/money.ts'`,
  'features/payments/server/vendors/index.ts': `export { vendor } from './stripe/index.ts'\nexport { vendor as sandbox } from './sandbox/index.ts'`,
  'features/payments/server/payouts/vendors/port.ts': `export { money } from '#platform/shared/money.ts'`,
  'features/payments/server/payouts/vendors/index.ts': `export { vendor } from './bank/index.ts'`,
  'features/payments/server/payouts/vendors/bank/index.ts': `export { money as vendor } from '../port.ts'`,
  'features/payments/server/vendors/stripe/index.ts': `export { money as vendor } from '../port.ts'`,
  'features/payments/server/vendors/sandbox/index.ts': `export { money as vendor } from '../port.ts'`,
  'features/gateway/server/door.ts': `export { log } from '#platform/server/log.ts'`,
  'features/gateway/server/hot/deps.ts': `export { money } from '#platform/shared/money.ts'`,
}

/** Packages by the list that contains them. */
export const plantPackages = { dependencies: ['ws', 'pg', 'undici', 'zod'], devDependencies: ['react', 'vite'] } as const
