import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectedFault } from './fault.ts'

/** Reason why a fault cannot be planted in this tree; undefined if it can. */
export function explainUninjectable(tree: string, fault: InjectedFault): string | undefined {
  if (!existsSync(join(tree, fault.file))) return `${fault.file} is gone`
  const times = readFileSync(join(tree, fault.file), 'utf8').split(fault.find).length - 1
  if (times !== 1) return `its text occurs ${times} times in ${fault.file}`
  const gone = fault.tests.filter((test) => !existsSync(join(tree, test)))
  return gone.length ? `${gone.join(', ')} is gone` : undefined
}

/** Plants a fault in a tree and returns a function that restores the file. Throws if the fault does not apply. */
export function injectFault(tree: string, fault: InjectedFault): () => void {
  const why = explainUninjectable(tree, fault)
  if (why) throw new Error(`${fault.id} does not apply any more: ${why}`)
  const path = join(tree, fault.file)
  const before = readFileSync(path, 'utf8')
  // Replaced by a function, in which `$` has no special meaning.
  writeFileSync(
    path,
    before.replace(fault.find, () => fault.put),
  )
  return () => writeFileSync(path, before)
}
