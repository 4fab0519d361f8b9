// `npm run size`: builds the customer pages aside and holds them to their budgets; `-- --silent` names only what is over.
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
const built = run('vite/bin/vite.js', 'build', '--outDir', pages, '--emptyOutDir', '--logLevel', 'warn')
process.exitCode = built || run('size-limit/bin.js', ...process.argv.slice(2))
rmSync(pages, { recursive: true, force: true })
