import { spawnSync } from 'node:child_process'
import { ROOT } from './parts.ts'

/** A number drawn by the commit: the same for every run of it, another one for the next. `TURN` chooses. */
export function turnOf(env: NodeJS.ProcessEnv): number {
  if (env['TURN']) return Number(env['TURN'])
  const { stdout } = spawnSync('git', ['rev-parse', '--short=6', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  return Number.parseInt(stdout?.trim() || '0', 16) % 64 || 0
}
