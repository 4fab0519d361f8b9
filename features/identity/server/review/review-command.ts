/** `npm run identity:review -- list`, `… approve USER --reason "…" [--as NAME]`, `… reject USER --reason "…"` (review/decide-review.ts). */
import { parseArgs } from 'node:util'
import { operatorNamed, runCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { identityConfig } from '../config.ts'
import { reviews } from '../data.ts'
import { decideReview } from './decide-review.ts'

const USAGE = 'list | (approve | reject) USER --reason "…" [--as NAME]'
const { values, positionals } = parseArgs({ allowPositionals: true, options: { as: { type: 'string' }, reason: { type: 'string' } } })

await runCommand('identity-review', identityConfig, run)

async function run(deps: Deps): Promise<void> {
  const [what, userId] = positionals
  const reason = values.reason?.trim()
  if (what === 'list') {
    for (const row of await reviews(deps.db)) console.log(`${row.user_id}  ${row.reason}  ${shanghaiTime(row.updated_at)}`)
    return
  }
  if ((what !== 'approve' && what !== 'reject') || !userId || !reason || reason.length > 500) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  await decideReview(deps, operatorNamed(values.as), userId, what, reason)
  console.log(`${userId} ${what === 'approve' ? 'approved' : 'rejected'}`)
}
