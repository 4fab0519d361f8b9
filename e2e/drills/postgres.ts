import { rmSync } from 'node:fs'
import { startPostgres } from '#platform/server/database/postgres.ts'
import type { Postgres } from '#platform/server/database/postgres.ts'

/** Starts a PostgreSQL that stops when this process ends, even if the drill is interrupted. */
export async function startDrillPostgres(folder: string, settings: Readonly<Record<string, string>>): Promise<Postgres> {
  const postgres = await startPostgres(folder, settings)
  const end = (): void => {
    try {
      process.kill(postgres.pid, 'SIGQUIT')
    } catch {
      // it ended earlier, as on a full disk
    }
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', end)
  return {
    ...postgres,
    stop: async () => {
      process.off('exit', end)
      await postgres.stop()
    },
  }
}
