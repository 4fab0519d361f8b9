import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#platform/server/database/postgres.ts'

export interface OwnDatabase {
  readonly url: string
  stop(): Promise<void>
}

/** An empty temporary PostgreSQL without fsync: its data does not outlive the run. */
export async function startOwnDatabase(): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-robots-db-'))
  const postgres = await startPostgres(folder, { max_connections: '200', shared_buffers: '128MB', fsync: 'off', full_page_writes: 'off' })
  return {
    url: postgres.url,
    stop: async () => {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
