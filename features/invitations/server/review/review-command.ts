/**
 * `npm run invitations:review -- list`: inviters whose rewards wait for an operator, earliest due first. `-- paid 2026`: the sum paid to
 * each person in a year, as CSV. Deciding is an operator's command: `-- release USER --reason "…"` and so on
 * (apps/server/operate/aliases.ts).
 */
import { runInstallationCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { formatPaidLines } from '../tax/paid-file.ts'
import { selectOpenReviews } from './data.ts'

const [what = 'list', year = ''] = process.argv.slice(2)

await runInstallationCommand('invitations-review', {}, run)

async function run(deps: Deps): Promise<void> {
  if (what === 'list') {
    for (const row of await selectOpenReviews(deps.db))
      console.log(`${row.inviterId}  ${toShanghaiTime(row.dueAt)}  ${row.rewards} rewards  $${formatUsd(row.amount)}  ${row.signals.join(' ')}`)
    return
  }
  if (what === 'paid' && /^20\d\d$/.test(year)) {
    for await (const line of formatPaidLines(deps, Number(year))) process.stdout.write(line)
    return
  }
  console.error('list | paid YEAR | hold USER | release USER | refuse USER, the last three with --reason "…"')
  process.exitCode = 2
}
