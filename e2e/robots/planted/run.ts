import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyTree } from '../../../scripts/faults/scratch.ts'
import { plant, whyNot } from '../../../scripts/faults/plant.ts'
import { planted } from './list.ts'
import type { PlantedFault } from './list.ts'

// node e2e/robots/planted/run.ts [--only id]: puts a mistake of before back into a copy of the checkout, one at a time, and lets the robots look for it.
const root = join(import.meta.dirname, '../../..')
const { values } = parseArgs({
  options: { 'only': { type: 'string', multiple: true }, 'port': { type: 'string', default: '3900' }, 'pages-dir': { type: 'string' } },
})

/** Runs the robots on a tree with the fault: answers the rule that found it, or the rules found instead. */
function look(tree: string, { args, rule, file }: PlantedFault, port: string): { isFound: boolean; told: string } {
  // pages that were built before serve every fault that is not in them
  const pages = values['pages-dir'] !== undefined && !file.includes('/web/') ? ['--pages-dir', values['pages-dir']] : []
  const { stdout, stderr } = spawnSync(process.execPath, [join(tree, 'e2e/robots/index.ts'), '--port', port, '--faults', '0', ...pages, ...args], {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const hit = stdout.split('\n').find((line) => line.includes('✗') && line.includes(rule))
  const rules = stdout.split('\n').filter((line) => /^ {2}\d+ x /.test(line))
  const instead = stdout.includes(' acts in ') ? rules.join(';') || 'nothing was found' : `the run ended early: ${stderr.slice(-500)}`
  return { isFound: hit !== undefined, told: hit?.trim() ?? instead }
}

const chosen = planted.filter(({ id }) => values.only?.includes(id) ?? true)
const { tree, drop } = copyTree(root)
let missed = 0
try {
  for (const fault of chosen) {
    const edits = [fault, ...(fault.also ?? [])].map((edit) => ({ ...fault, ...edit, feature: 'platform' as const, tests: [] }))
    const why = edits.map((edit) => whyNot(tree, edit)).find((one) => one !== undefined)
    if (why !== undefined) console.log(`${fault.id}: does not apply any more: ${why}`)
    else {
      const restores = edits.map((edit) => plant(tree, edit))
      const { isFound, told } = look(tree, fault, values.port)
      for (const restore of restores) restore()
      console.log(`${isFound ? 'found ' : 'MISSED'} ${fault.id}: ${told}`)
      if (isFound) continue
    }
    missed++
  }
} finally {
  drop()
}
process.exitCode = missed ? 1 : 0
