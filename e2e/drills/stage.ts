import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#platform/server/database/migrate.ts'
import type { Postgres } from '#platform/server/database/postgres.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { pinCatalogueDate } from '#platform/testing/global-setup.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { openAttackStage } from '../attack/stage.ts'
import type { AttackStage } from '../attack/stage.ts'
import { startDrillPostgres } from './postgres.ts'

const NODES = 2
const PAYERS = 6
const SETTINGS = { max_connections: '100', shared_buffers: '32MB', max_wal_size: '64MB', min_wal_size: '32MB', checkpoint_timeout: '30s' }

export interface DrillStage extends AttackStage {
  readonly folder: string
  readonly keys: readonly string[]
  readonly postgres: Postgres
  /** Restarts PostgreSQL if it has ended, as its supervisor would. */
  startAgain(): Promise<void>
  /** Connection to the database `postgres`, which no drill touches. */
  admin(text: string): Promise<void>
  /** Faults of the ledger, and calls that the vendor answered but that have no row. */
  books(): Promise<Record<string, number>>
}

/** Starts two gateways, a vendor and a PostgreSQL in `folder`. */
export async function openDrill(folder = mkdtempSync(join(tmpdir(), 'mingxi-drill-'))): Promise<DrillStage> {
  let postgres = await startDrillPostgres(folder, SETTINGS)
  await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
  await pinCatalogueDate(postgres.url)
  const stage = await openAttackStage(postgres.url, NODES)
  const keys: string[] = []
  for (let n = 0; n < PAYERS; n++) {
    const userId = await aFundedUser(stage.db, { userId: createId('user'), purchased: 100n * NANO_PER_USD })
    keys.push((await aKey(stage.db, userId)).secret)
  }
  return {
    ...stage,
    folder,
    keys,
    get postgres() {
      return postgres
    },
    startAgain: async () => {
      postgres = await startDrillPostgres(folder, SETTINGS)
    },
    admin: async (text) => {
      const url = new URL(postgres.url)
      url.pathname = '/postgres'
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      await client.query(text).finally(() => client.end())
    },
    books: async () => {
      await stage.stopNodes()
      const { problems } = await verifyLedger(stage.db)
      const [left] = await stage.db.query<{ open: bigint; letters: bigint }>(
        'select (select count(*) from gateway_calls) as open, (select count(*) from gateway_dead_letters) as letters',
      )
      return { 'ledger problems': problems.length, 'open calls left': Number(left!.open), 'dead letters': Number(left!.letters) }
    },
    stop: async () => {
      await stage.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
