import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A copy of the tracked files in their current state, with the checkout's packages: faults are planted there. */
export function copyCheckout(root: string): { tree: string; drop: () => void } {
  const tree = mkdtempSync(join(tmpdir(), 'mingxi-faults-'))
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  for (const path of tracked.filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    copyFileSync(join(root, path), join(tree, path))
  }
  copyPackages(join(root, 'node_modules'), join(tree, 'node_modules'))
  return { tree, drop: () => rmSync(tree, { recursive: true, force: true }) }
}

/** Hard links where the file system allows them. */
function copyPackages(from: string, to: string): void {
  try {
    execFileSync('cp', ['-al', from, to], { stdio: 'pipe' })
  } catch {
    rmSync(to, { recursive: true, force: true })
    execFileSync('cp', ['-a', from, to])
  }
}
