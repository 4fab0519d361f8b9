// The program of a release: `mingxi` serves, `mingxi migrate` brings the database up to date, `mingxi COMMAND` is `npm run COMMAND` of a checkout.
import { commands } from '../commands.mjs'

const PROGRAMS: Readonly<Record<string, () => Promise<unknown>>> = {
  'apps/server/main.ts': () => import('#apps/server/main.ts'),
  'apps/server/operate/operate-command.ts': () => import('#apps/server/operate/operate-command.ts'),
  'apps/server/first-owner-command.ts': () => import('#apps/server/first-owner-command.ts'),
  'apps/server/reseal-command.ts': () => import('#apps/server/reseal-command.ts'),
  'features/wallet/server/verify-command.ts': () => import('#features/wallet/server/verify-command.ts'),
  'features/gateway/server/books/compare-command.ts': () => import('#features/gateway/server/books/compare-command.ts'),
  'features/gateway/server/usage/sums-command.ts': () => import('#features/gateway/server/usage/sums-command.ts'),
}
const SERVER = 'apps/server/main.ts'

const [name = 'serve', ...rest] = process.argv.slice(2)
const program = name === 'serve' || name === 'migrate' ? SERVER : commands[name]
const load = program === undefined ? undefined : PROGRAMS[program]
if (program !== undefined && load) {
  process.argv = [process.execPath, program, ...(name === 'migrate' ? ['--migrate'] : []), ...rest]
  await load()
} else {
  console.error(`mingxi: unknown command ${name}. Known: serve (default), migrate, version, ${Object.keys(commands).join(', ')}`)
  process.exitCode = 2
}
