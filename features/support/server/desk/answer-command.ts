/**
 * `npm run support:answer`: lists open conversations; with `-- --conversation ID` it prints one. With `--text "…"` or `--close` it is an
 * operator's command (`desk/commands.ts`).
 */
import { parseArgs } from 'node:util'
import { runInstallationCommand } from '#platform/server/command.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { listConversations, openConversation } from './list-conversations.ts'

const { values } = parseArgs({ options: { conversation: { type: 'string' } } })

await runInstallationCommand('support', {}, async (deps) => {
  if (!values.conversation) {
    for (const row of await listConversations(deps.db, { state: 'open' }))
      console.log(`${row.id}  ${toShanghaiTime(row.updatedAt)}  ${row.from}  ${oneLine(row.preview)}`)
    return
  }
  for (const { at, author, event, detail, text } of (await openConversation(deps.db, values.conversation)).messages)
    console.log(`${toShanghaiTime(at)}  ${author.padEnd(8)}  ${printable(text || `${event} ${detail}`)}`)
})

/** Removes control characters, because a customer's text must not move the terminal's cursor. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '')
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').slice(0, 80)
}
