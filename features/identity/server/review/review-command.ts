/** `npm run identity:review -- list`. Deciding is an operator's command: `-- approve USER --reason "…"` (apps/server/operate/aliases.ts). */
import { runCommand } from '#platform/server/command.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { identityConfig } from '../config.ts'
import { reviews } from '../data.ts'

await runCommand('identity-review', identityConfig, async ({ db }) => {
  for (const row of await reviews(db)) console.log(`${row.user_id}  ${row.reason}  ${shanghaiTime(row.updated_at)}`)
})
