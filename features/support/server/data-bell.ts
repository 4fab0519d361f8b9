import pg from 'pg'
import type { Db } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'

export interface Ear {
  close(): Promise<void>
}

/** Hears what `ring` says, on a connection of its own. `heard` gets the conversation's id; `lost` is called once, when the line breaks. */
export async function listen(db: Pick<Db, 'pool'>, log: Log, heard: (conversationId: string) => void, lost: () => void): Promise<Ear> {
  const { connectionString, options } = db.pool.options
  const client = new pg.Client({ connectionString, options, application_name: 'mingxi-support' })
  let over = false
  const end = (error?: Error) => {
    if (over) return
    over = true
    if (error) log.warn({ err: error }, 'support: the line for news is lost')
    client.end().catch(() => {})
    lost()
  }
  client.on('error', end)
  client.on('end', () => end())
  client.on('notification', ({ payload }) => heard(payload ?? ''))
  await client.connect()
  ;(client as pg.Client & { unref(): void }).unref()
  await client.query('listen support')
  return {
    close: async () => {
      over = true
      await client.end()
    },
  }
}
