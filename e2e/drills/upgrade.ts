import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { pinCatalogueDate } from '#platform/testing/global-setup.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { endAttackNode, startAttackNode } from '../attack/stage.ts'
import type { AttackNode, AttackNodeOptions } from '../attack/stage.ts'
import { startAttackVendor } from '../attack/vendor/server.ts'
import { watchCalls } from './measure.ts'
import { startDrillPostgres } from './postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const COMMITS = Number(process.env['DRILL_COMMITS'] ?? 100)
const RATE = 10
const CALM_MS = 5_000

/** Upgrades from the version of 100 commits ago to this one under load, node by node, and rolls back again, on the same database. */
export async function drillUpgrade(): Promise<Record<string, string | number>> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-drill-upgrade-'))
  const old = checkout(join(folder, 'old'))
  const vendor = await startAttackVendor()
  const postgres = await startDrillPostgres(folder, { max_connections: '100', shared_buffers: '64MB' })
  migrateFrom(old, postgres.url)
  await pinCatalogueDate(postgres.url)
  const db = connect(postgres.url, { max: 4 })
  const running: AttackNode[] = []
  try {
    const at = (root: string, n: number): AttackNodeOptions => {
      const data = join(folder, `data-${n}`)
      mkdirSync(data, { recursive: true })
      return { databaseUrl: postgres.url, vendorUrl: vendor.url, folder: data, root }
    }
    for (const n of [0, 1]) running.push(await startAttackNode(at(old, n)))
    const keys = await payers(db)
    const nodes = running.map(({ url }) => url)
    const watch = watchCalls({ nodes, keys, rate: RATE })
    await sleep(CALM_MS)
    const before = await countsOf(db)
    const moveTo = async (root: string) => {
      for (const n of [0, 1]) {
        const next = await startAttackNode(at(root, n))
        const last = running[n]!
        running[n] = next
        nodes[n] = next.url
        await endAttackNode(last)
      }
      await sleep(CALM_MS)
    }
    const began = performance.now()
    migrateFrom(ROOT, postgres.url)
    const migratedMs = performance.now() - began
    await moveTo(ROOT)
    const upgraded = await countsOf(db)
    await moveTo(old)
    await watch.stop()
    await Promise.all(running.splice(0).map((node) => endAttackNode(node)))
    const after = await countsOf(db)
    const served = watch.seen.filter(({ status }) => status === 200).length
    return {
      'commits between the versions': COMMITS,
      'migrations applied by the upgrade': upgraded.migrations - before.migrations,
      'migrating took': `${(migratedMs / 1000).toFixed(1)} s`,
      'calls': watch.seen.length,
      'calls not answered with 200': watch.seen.length - served,
      'rows before, upgraded and back again': `${before.usage}, ${upgraded.usage}, ${after.usage}`,
      'answers without a row': served - after.usage,
      'ledger problems': (await verifyLedger(db)).problems.length,
    }
  } finally {
    await Promise.all(running.map((node) => endAttackNode(node)))
    await db.close()
    await postgres.stop()
    await vendor.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Checks out an older version and links the packages of this one. */
function checkout(folder: string): string {
  execFileSync('git', ['clone', '--quiet', '--shared', ROOT, folder])
  execFileSync('git', ['checkout', '--quiet', `HEAD~${COMMITS}`], { cwd: folder })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const migrateFrom = (root: string, url: string): void => {
  execFileSync(process.execPath, [join(root, 'apps/server/main.ts'), '--migrate'], { env: { ...process.env, DATABASE_URL: url, NODE_ENV: 'production' } })
}

async function payers(db: Db): Promise<string[]> {
  const keys: string[] = []
  for (let n = 0; n < 4; n++) {
    const userId = await aFundedUser(db, { userId: createId('user'), purchased: 100n * NANO_PER_USD })
    keys.push((await aKey(db, userId)).secret)
  }
  return keys
}

async function countsOf(db: Db): Promise<{ usage: number; migrations: number }> {
  const [row] = await db.query<{ usage: bigint; migrations: bigint }>(
    'select (select count(*) from gateway_usage) as usage, (select count(*) from migrations) as migrations',
  )
  return { usage: Number(row!.usage), migrations: Number(row!.migrations) }
}
