// The program of a release: `mingxi` serves, `mingxi migrate` brings the database up to date, `mingxi COMMAND` is `npm run COMMAND` of a checkout.
import { commands, targetOf } from '../commands.mjs'

const PROGRAMS: Readonly<Record<string, () => Promise<unknown>>> = {
  'apps/server/main.ts': () => import('#apps/server/main.ts'),
  'apps/server/operate/operate-command.ts': () => import('#apps/server/operate/operate-command.ts'),
  'apps/server/first-owner-command.ts': () => import('#apps/server/first-owner-command.ts'),
  'apps/server/reseal-command.ts': () => import('#apps/server/reseal-command.ts'),
  'features/wallet/server/verify-command.ts': () => import('#features/wallet/server/verify-command.ts'),
  'features/gateway/server/books/compare-command.ts': () => import('#features/gateway/server/books/compare-command.ts'),
  'features/gateway/server/usage/sums-command.ts': () => import('#features/gateway/server/usage/sums-command.ts'),
  'features/gateway/server/upstreams/routes-command.ts': () => import('#features/gateway/server/upstreams/routes-command.ts'),
  'features/payments/server/orders/order-command.ts': () => import('#features/payments/server/orders/order-command.ts'),
  'features/payments/server/withdrawals/withdrawals-command.ts': () => import('#features/payments/server/withdrawals/withdrawals-command.ts'),
  'features/identity/server/review/review-command.ts': () => import('#features/identity/server/review/review-command.ts'),
  'features/invitations/server/review/review-command.ts': () => import('#features/invitations/server/review/review-command.ts'),
  'features/support/server/desk/answer-command.ts': () => import('#features/support/server/desk/answer-command.ts'),
}
const SERVER = 'apps/server/main.ts'

const [name = 'serve', ...rest] = process.argv.slice(2)
const target =
  name === 'serve' ? { program: SERVER, words: rest } : name === 'migrate' ? { program: SERVER, words: ['--migrate', ...rest] } : targetOf(name, rest)
const load = target && PROGRAMS[target.program]
if (load) {
  process.argv = [process.execPath, target.program, ...target.words]
  await load()
} else {
  console.error(`mingxi: unknown command ${name}. Known: serve (default), migrate, version, ${Object.keys(commands).join(', ')}`)
  process.exitCode = 2
}
