import { spawnSync } from 'node:child_process'
import { TEST_ROOT } from './parts.ts'

const DAY_SECONDS = 86_400

/** The day of the commit: the same for every run of it and for changes of the same day, another one tomorrow. `TURN` overrides it. */
export function resolveTurn(env: NodeJS.ProcessEnv): number {
  if (env['TURN']) return Number(env['TURN'])
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: TEST_ROOT, encoding: 'utf8' })
  return Math.floor(Number(stdout?.trim() || 0) / DAY_SECONDS)
}
