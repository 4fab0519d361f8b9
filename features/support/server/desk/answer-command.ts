/**
 * `npm run support:answer`: lists open conversations. With `-- --conversation ID` it prints one, with `--text "…"` it
 * answers, with `--close` it closes (after the answer, if there is one).
 */
import { parseArgs } from 'node:util'
import { operatorNamed, runCommand } from '#platform/server/command.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { answerConversation } from '../verbs/answer-conversation.ts'
import { closeConversation } from '../verbs/close-conversation.ts'
import { listConversations, openConversation } from '../verbs/list-conversations.ts'

const { values } = parseArgs({ options: { conversation: { type: 'string' }, text: { type: 'string' }, close: { type: 'boolean' }, as: { type: 'string' } } })
const operator = operatorNamed(values.as)

await runCommand('support', {}, async (deps) => {
  const id = values.conversation
  if (!id) {
    for (const row of await listConversations(deps.db, { state: 'open' }))
      console.log(`${row.id}  ${shanghaiTime(row.updatedAt)}  ${row.from}  ${oneLine(row.preview)}`)
  } else {
    if (values.text) {
      const { seq } = await answerConversation(deps, operator, { conversationId: id, text: values.text })
      console.log(`answered ${id} #${seq}`)
    }
    if (values.close) {
      await closeConversation(deps, operator, id)
      console.log(`closed ${id}`)
    }
    if (!values.text && !values.close) {
      for (const { at, author, event, detail, text } of (await openConversation(deps.db, id)).messages)
        console.log(`${shanghaiTime(at)}  ${author.padEnd(8)}  ${printable(text || `${event} ${detail}`)}`)
    }
  }
})

/** A customer's text must not move the terminal's cursor. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '')
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').slice(0, 80)
}
