/**
 * `npm run invitations:review -- list`: inviters whose rewards wait for a person, the first due on top. `-- release USER --as NAME
 * --reason "…"` lets them run their time, `-- refuse USER --as NAME --reason "…"` ends them.
 */
import { parseArgs } from 'node:util'
import { runCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { usd } from '#platform/shared/money.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { openReviews } from './review/data.ts'
import { decideReview } from './review/decide-review.ts'

const USAGE = 'list | release USER --as NAME --reason "…" | refuse USER --as NAME --reason "…" (a reason has ten characters at least)'
const { values, positionals } = parseArgs({ allowPositionals: true, options: { as: { type: 'string' }, reason: { type: 'string' } } })
const [what = 'list', userId = ''] = positionals

await runCommand('invitations-review', {}, run)

async function run(deps: Deps): Promise<void> {
  if (what === 'list') {
    for (const row of await openReviews(deps.db))
      console.log(`${row.inviter_id}  ${shanghaiTime(row.due_at)}  ${row.rewards} rewards  $${usd(row.amount)}  ${row.signals}`)
    return
  }
  const { as: name, reason = '' } = values
  if ((what !== 'release' && what !== 'refuse') || !userId || !name || reason.trim().length < 10) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const done = await decideReview(deps, { kind: 'operator', id: name }, userId, what, reason.trim())
  console.log(done ? `${userId} ${what}` : `${userId}: nothing is open, or it is one's own`)
}
