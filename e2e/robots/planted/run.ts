import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyCheckout } from '../../../scripts/faults/scratch.ts'
import { injectFault, explainUninjectable } from '../../../scripts/faults/plant.ts'
import { PLANTED_MISTAKES } from './list.ts'
import type { PlantedMistake } from './list.ts'

// node e2e/robots/planted/run.ts [--only id]: reintroduces past mistakes into a copy of the checkout, one at a time, and runs the robots to
// find each.
const root = join(import.meta.dirname, '../../..')
const BUILDS = [
  ['vite.config.ts', 'web'],
  ['vite.ssr.config.ts', 'prerender'],
  ['vite.console.config.ts', 'console'],
] as const
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, port: { type: 'string', default: '3900' } },
})

/** Runs the robots on a tree with the mistake: returns the rule that found it, or the rules found instead. */
function runRobots(tree: string, { args, rule, file }: PlantedMistake, port: string): { isFound: boolean; told: string } {
  // mistakes outside the pages share one build of unmodified pages
  const pages = ['--pages-dir', file.includes('/web/') ? buildPages(tree, 'dist-planted') : soundPages]
  const { stdout, stderr } = spawnSync(process.execPath, [join(tree, 'e2e/robots/index.ts'), '--port', port, '--faults', '0', ...pages, ...args], {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const lines = stdout.split('\n')
  const at = lines.findIndex((line) => line.includes('✗') && line.includes(rule))
  const hit = at < 0 ? undefined : `${lines[at]!.trim()} [${findActLine(lines.slice(at))}]`
  const rules = lines.filter((line) => /^ {2}\d+ x /.test(line))
  const instead = stdout.includes(' acts in ') ? rules.join(';') || 'nothing was found' : `the run ended early: ${stderr.slice(-500)}`
  return { isFound: hit !== undefined, told: hit ?? instead }
}

/** A person's violation is printed above the line of its act; one of the books at rest has no act. */
function findActLine(lines: readonly string[]): string {
  const line = lines.find((one) => /^ +-?\d+ \S/.test(one) && !one.includes(' x '))
  return line ? `act ${line.trim().split(':')[0]}` : 'at rest'
}

/** Builds both apps and the renderer of the public pages, without the compression that takes most of a start's time. */
function buildPages(tree: string, folder: string): string {
  const to = join(tree, folder)
  for (const [config, app] of BUILDS) {
    const vite = [join(tree, 'node_modules/vite/bin/vite.js'), 'build', '--config', config, '--outDir', join(to, app), '--emptyOutDir', '--logLevel', 'warn']
    const { status, stderr } = spawnSync(process.execPath, vite, { cwd: tree, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } })
    if (status !== 0) throw new Error(`pages cannot be built: ${stderr.slice(-500)}`)
  }
  return to
}

const chosenMistakes = PLANTED_MISTAKES.filter(({ id }) => values.only?.includes(id) ?? true)
const { tree, drop } = copyCheckout(root)
const soundPages = buildPages(tree, 'dist-sound')
let missedMistakes = 0
try {
  for (const fault of chosenMistakes) {
    const edits = [fault, ...(fault.also ?? [])].map((edit) => ({ ...fault, ...edit, feature: 'platform' as const, tests: [] }))
    const why = edits.map((edit) => explainUninjectable(tree, edit)).find((one) => one !== undefined)
    if (why !== undefined) console.log(`${fault.id}: does not apply any more: ${why}`)
    else {
      const restores = edits.map((edit) => injectFault(tree, edit))
      const { isFound, told } = runRobots(tree, fault, values.port)
      for (const restore of restores.reverse()) restore()
      console.log(`${isFound ? 'found ' : 'MISSED'} ${fault.id}: ${told}`)
      if (isFound) continue
    }
    missedMistakes++
  }
} finally {
  drop()
}
process.exitCode = missedMistakes ? 1 : 0
