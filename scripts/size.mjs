// `npm run size`: builds the customers' pages and the operators' app separately and checks them against their budgets; `-- --silent` lists
// only those over budget.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const pages = mkdtempSync(join(tmpdir(), 'mingxi-pages-'))
const run = (/** @type {string} */ script, /** @type {string[]} */ ...args) =>
  spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', PAGES: pages },
  }).status ?? 1
const build = (/** @type {string} */ app, /** @type {string} */ config) =>
  run('vite/bin/vite.js', 'build', '--config', config, '--outDir', join(pages, app), '--emptyOutDir', '--logLevel', 'warn')
const built = build('web', 'vite.config.ts') || build('console', 'vite.console.config.ts')
process.exitCode = built || run('size-limit/bin.js', ...process.argv.slice(2))
rmSync(pages, { recursive: true, force: true })
