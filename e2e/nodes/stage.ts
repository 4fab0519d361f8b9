import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import type { Postgres } from '#platform/server/database/postgres.ts'
import { createId } from '#platform/shared/ids.ts'
import type { Nano } from '#platform/shared/money.ts'
import { pinCatalogueDate } from '#platform/testing/global-setup.ts'
import { resolveProgram } from '#platform/testing/programs.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import type { StoredLimits } from '#features/gateway/server/keys/data-limits.ts'
import type { ApiKey } from '#features/gateway/server/hot/deps.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

/** Gateway nodes on a separate PostgreSQL that a test may kill; worker and sandbox vendor run in another process. */
export interface NodesStage {
  readonly outside: TestServer
  readonly nodes: readonly TestServer[]
  readonly db: Db
  /** Kills the server and all its backends with SIGKILL, and restarts it at the same address. */
  killPostgres(): Promise<void>
  stop(): Promise<void>
}

const ENV = {
  STAGE: 'qa',
  ALLOW_SANDBOX: 'models,payment,mail',
  MIGRATE: 'check',
  GATEWAY_NODE_DEAD_MS: '4000',
  GATEWAY_SILENT_MS: '8000',
  SANDBOX_CHUNK_MS: '5',
  LOG_LEVEL: 'info',
}

export async function startNodesStage(count: number, env: Readonly<Record<string, string>> = {}): Promise<NodesStage> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-nodes-'))
  const settings = { 'max_connections': '200', 'shared_buffers': '64MB', 'shared_preload_libraries': 'pg_stat_statements', 'pg_stat_statements.track': 'all' }
  let postgres: Postgres = await startPostgres(folder, settings)
  const { url } = postgres
  const appUrl = await prepare(url)
  const outside = await startTestServer({ roles: 'worker,sandbox', databaseUrl: appUrl, env: { ...ENV, ...env } })
  const nodes = await Promise.all(
    Array.from({ length: count }, () =>
      startTestServer({
        roles: 'gateway',
        databaseUrl: appUrl,
        env: { ...ENV, SANDBOX_UPSTREAM_URL: `${outside.baseUrl}/sandbox/upstream`, ...env },
      }),
    ),
  )
  // The test's own statements run as the owner, so that those of the application are counted separately.
  const db = connect(url, { max: 4, asOwner: true })
  // an hourly or daily job would add its statements only to a run at that minute
  await db.query('delete from jobs.schedule')
  return {
    outside,
    nodes,
    db,
    killPostgres: async () => {
      process.kill(postgres.pid, 'SIGKILL')
      postgres = await startPostgres(folder, settings)
      if (postgres.url !== url) throw new Error('PostgreSQL came back at another address')
    },
    stop: async () => {
      await Promise.all([...nodes, outside].map((server) => server.stop()))
      await db.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As in a deployment: the owner migrates and disconnects, all others connect as a user that owns nothing. */
async function prepare(url: string): Promise<string> {
  execFileSync(process.execPath, [await resolveProgram('apps/server/main.ts'), '--migrate'], { env: { ...process.env, DATABASE_URL: url } })
  const owner = connect(url, { max: 1, asOwner: true })
  await pinCatalogueDate(url)
  await owner.query(`create role server login password 'server' in role mingxi_app`)
  await owner.query('create extension pg_stat_statements')
  // excludes the statements of migrations
  await owner.query('select pg_stat_statements_reset()')
  await owner.close()
  const app = new URL(url)
  app.username = app.password = 'server'
  return app.href
}

/** Creates a user with this much money, and a key. */
export async function aKeyPayer(
  db: Db,
  purchased: Nano,
  { onDisconnect = 'abort', limits = {} }: { readonly onDisconnect?: ApiKey['onDisconnect']; readonly limits?: Partial<StoredLimits> } = {},
): Promise<{ secret: string; key: ApiKey }> {
  const made = await aKey(db, await aFundedUser(db, { userId: createId('user'), purchased }), { name: 'payer', limits })
  if (onDisconnect === 'drain') await db.query(`update gateway_keys set on_disconnect = 'drain' where key_id = $1`, [made.key.keyId])
  return made
}

export const readServerPort = (server: TestServer): number => Number(new URL(server.baseUrl).port)
