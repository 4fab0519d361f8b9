// `npm run check`: everything that needs no database, in parallel, under a minute. `npm run check lint texts` runs two.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = (/** @type {string} */ path) => join(root, 'node_modules', path)
const ROOMS = ['apps', 'features', 'platform', 'ui', 'e2e', 'bench', 'scripts', 'stand-ins'].filter((name) => existsSync(join(root, name)))

/** Incremental: the compiler rechecks only files that an edit can affect, for a fifth of the processor time. */
const types = (/** @type {'web' | 'server' | 'console'} */ half) => [
  bin('typescript7/bin/tsc'),
  ...['-p', `tsconfig.${half}.json`, '--incremental', '--tsBuildInfoFile', `node_modules/.cache/types-${half}.tsbuildinfo`],
]

/** Longest first, so that the short ones fill the gaps. A step's command is a Node script and its arguments. */
export const STEPS = {
  'types-web': types('web'),
  'types-server': types('server'),
  'types-console': types('console'),
  'boundaries': [bin('dependency-cruiser/bin/dependency-cruiser.mjs'), '--config', '.dependency-cruiser.mjs', '--output-type', 'err', ...ROOMS],
  'size': ['scripts/size.mjs', '--silent'],
  'unused': [bin('knip/bin/knip.js'), '--no-progress', '--no-config-hints'],
  'lint': [bin('oxlint/bin/oxlint'), '--format', 'unix'],
  'format': [bin('oxfmt/bin/oxfmt'), '--check', '.'],
  'texts': ['scripts/check/texts.ts'],
  'languages': ['scripts/check/languages.ts'],
  'catalogues': ['scripts/check/catalogues.ts'],
  'migrations': ['scripts/check/migrations.ts'],
  'tables': ['scripts/check/tables.ts'],
  'english': ['scripts/check/words/english.ts'],
  'names': ['scripts/check/words/names.ts'],
  'doc-names': ['scripts/check/words/doc-names.ts'],
  'layers': ['scripts/check/imports/layers.ts'],
  'rules': ['scripts/check/rules.ts'],
  'settings': ['scripts/check/settings.ts'],
  'lock': ['scripts/check/lock.ts'],
  'secrets': ['scripts/check/secrets.ts'],
}

/** @returns {Promise<{ name: string, ok: boolean, ms: number, output: string }>} */
function run(/** @type {string} */ name, /** @type {string[]} */ args, cwd = root) {
  const from = performance.now()
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd, env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' } })
    let output = ''
    const keep = (/** @type {Buffer} */ text) => {
      output += text
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => {
      output += error.message
    })
    child.on('close', (code) => done({ name, ok: code === 0, ms: performance.now() - from, output: output.trim() }))
  })
}

/**
 * Runs steps on as many cores as there are (two at least) and prints each one's outcome when it ends.
 * @param {Readonly<Record<string, string[]>>} [steps]
 */
export async function check(steps = STEPS, say = console.log) {
  const from = performance.now()
  const waiting = Object.entries(steps)
  /** @type {Awaited<ReturnType<typeof run>>[]} */
  const results = []
  await Promise.all(
    Array.from({ length: Math.max(2, availableParallelism()) }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const result = await run(...next)
        results.push(result)
        say(`${result.ok ? 'ok    ' : 'FAILED'} ${result.name.padEnd(13)} ${(result.ms / 1000).toFixed(1).padStart(5)} s`)
        if (!result.ok || /warning|unused texts/i.test(result.output)) say(result.output.replace(/^/gm, '    '))
      }
    }),
  )
  const failed = results.filter((result) => !result.ok).map((result) => result.name)
  say(
    `check: ${failed.length ? `${failed.length} of ${results.length} failed: ${failed.join(', ')}` : `all ${results.length} passed`}, ${((performance.now() - from) / 1000).toFixed(1)} s`,
  )
  return { passed: results.length - failed.length, failed: failed.length }
}

if (import.meta.main) {
  const chosen = process.argv.slice(2)
  const unknown = chosen.filter((name) => !(name in STEPS))
  if (unknown.length) {
    console.error(`unknown: ${unknown.join(', ')}; known: ${Object.keys(STEPS).join(', ')}`)
    process.exit(2)
  }
  const steps = Object.fromEntries(Object.entries(STEPS).filter(([name]) => !chosen.length || chosen.includes(name)))
  process.exit((await check(steps)).failed ? 1 : 0)
}
