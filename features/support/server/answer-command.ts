/**
 * `npm run support:answer`: lists open conversations. With `-- --conversation ID` it prints one, with `--text "…"` it
 * answers, with `--close` it closes (after the answer, if there is one).
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '#platform/server/clock.ts'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { connect } from '#platform/server/db.ts'
import { startPostgres } from '#platform/server/postgres.ts'
import { createSettings } from '#platform/server/settings.ts'
import { Failure } from '#platform/shared/errors.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { answerConversation } from './verbs/answer-conversation.ts'
import { closeConversation } from './verbs/close-conversation.ts'
import { listConversations, openConversation } from './verbs/list-conversations.ts'

const { values } = parseArgs({ options: { conversation: { type: 'string' }, text: { type: 'string' }, close: { type: 'boolean' }, as: { type: 'string' } } })
const config = readConfig(platformConfig)
const postgres = config.DATABASE_URL ? undefined : await startPostgres(resolve(config.DATA_DIR))
const db = connect(config.DATABASE_URL ?? postgres!.url, { max: 2, name: 'mingxi-support' })
const deps = { db, clock: systemClock, settings: createSettings(db) }
const operator = { kind: 'operator', id: values.as ?? 'command' } as const
try {
  const id = values.conversation
  if (!id) {
    for (const row of await listConversations(db, { state: 'open' }))
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
      for (const { at, author, event, detail, text } of (await openConversation(db, id)).messages)
        console.log(`${shanghaiTime(at)}  ${author.padEnd(8)}  ${printable(text || `${event} ${detail}`)}`)
    }
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(`${error.errorName} ${JSON.stringify(error.data ?? {})}`)
  process.exitCode = 1
} finally {
  await db.close()
  await postgres?.stop()
}

/** A customer's text must not move the terminal's cursor. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '')
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').slice(0, 80)
}
