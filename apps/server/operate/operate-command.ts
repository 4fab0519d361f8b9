/**
 * `npm run operate -- COMMAND --field value … --reason "…" [--code CODE] [--preview]`: requests one of the operators' commands, as their
 * pages do. `npm run operate` lists them. The caller authenticates with OPERATOR_TOKEN, a token from the operators' origin, or with
 * `--break-glass MAIL`: an owner on the server who cannot wait for a second person, with an alarm to all owners.
 */
import type { ConfigShape } from '#platform/server/config.ts'
import { readNamedSecret } from '#platform/server/config.ts'
import { runInstallationCommand } from '#platform/server/command.ts'
import { fail } from '#platform/shared/errors.ts'
import { operateCommand } from '#features/backoffice/server/index.ts'
import { features } from '../features.ts'
import { parseCommandLine } from './command-line.ts'

const shape: ConfigShape = Object.assign({}, ...features.map((feature) => feature.config ?? {}))

await runInstallationCommand('operate', shape, {
  work: async (deps) => {
    const { name, input, reason, code, breakGlass, previewOnly } = parseCommandLine(process.argv.slice(2))
    if (!name) {
      for (const command of deps.commands!.values()) console.log(`${command.name.padEnd(22)} ${command.summary}`)
      return
    }
    const token = readNamedSecret('OPERATOR_TOKEN')
    if (!breakGlass && !token) fail('BAD_INPUT', { missing: 'OPERATOR_TOKEN, a token of yours from the operators’ origin; or --break-glass MAIL' })
    const row = await operateCommand(deps, {
      ...{ name, input, reason, reasonCode: code },
      by: breakGlass ? { breakGlass } : { token: token! },
      goOn: ({ subject, shown, level, canBeUndone }) => {
        console.log(`${name}  ${subject}  ${level}${canBeUndone ? '' : '  cannot be undone'}`)
        for (const { name: figure, before, after } of shown.changes) console.log(`  ${figure}: ${before}${before === after ? '' : ` -> ${after}`}`)
        for (const [mail, count] of Object.entries(shown.mails)) console.log(`  mail ${mail} x ${count}`)
        if (shown.refusal) fail(shown.refusal.name, shown.refusal.data ?? undefined)
        return !previewOnly
      },
    })
    if (row) console.log(`${row.no}  ${row.state}  ${JSON.stringify(row.result ?? {})}`)
  },
  features,
})
