/** `npm run identity:review -- list`. Deciding is an operator's command: `-- approve USER --reason "…"` (apps/server/operate/aliases.ts). */
import { runInstallationCommand } from '#platform/server/command.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { identityConfig } from '../config.ts'
import { selectReviews } from '../data.ts'

await runInstallationCommand('identity-review', identityConfig, async ({ db }) => {
  for (const row of await selectReviews(db)) console.log(`${row.userId}  ${row.reason}  ${toShanghaiTime(row.updatedAt)}`)
})
