import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { createTestDatabase } from '#platform/testing/db.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { selectSumDiscrepancies } from '#features/gateway/server/usage/data-sums.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { compareCharges } from './charges.ts'
import type { ChargeMismatch } from './charges.ts'
import { openCuttableConnection } from './cuttable-connection.ts'
import type { CuttableConnection } from './cuttable-connection.ts'

/**
 * Gateways that can be stopped, blocked or cut off, beside a worker and a vendor that cannot. The vendor is the sandbox at the addresses of
 * real vendors, so that it cannot be asked about a call, or at its own, so that it can.
 */
export interface PauseRig {
  readonly nodes: readonly RigNode[]
  readonly db: Db
  readonly secret: string
  readonly worker: TestServer
  /** Resolves when nothing is open, waits or runs; returns what the vendor billed otherwise than was charged. */
  settled(): Promise<readonly ChargeMismatch[]>
  stop(): Promise<void>
}
export interface RigNode {
  readonly server: TestServer
  readonly line: CuttableConnection
}

export interface PauseRigOptions {
  readonly nodes: number
  /** How long a process may be silent before its calls are charged what they hold. */
  readonly silentMs: number
  readonly canBeAsked?: boolean
}

export const NODE_DEAD_MS = 4000

export async function openPauseRig({ nodes: count, silentMs, canBeAsked = false }: PauseRigOptions): Promise<PauseRig> {
  const { url: databaseUrl } = await createTestDatabase()
  const env = {
    ...{
      STAGE: 'qa',
      ALLOW_SANDBOX: 'models,payment,mail',
      GATEWAY_NODE_DEAD_MS: String(NODE_DEAD_MS),
      GATEWAY_SILENT_MS: String(silentMs),
      SANDBOX_CHUNK_MS: '5',
    },
    LOG_LEVEL: 'info',
  }
  const outside = await startTestServer({ roles: 'sandbox', databaseUrl, env })
  const at = `${outside.baseUrl}/sandbox/upstream`
  const deaf: Record<string, string> = canBeAsked
    ? {}
    : { OPENAI_API_KEY: 'sandbox', OPENAI_BASE_URL: `${at}/openai`, ANTHROPIC_API_KEY: 'sandbox', ANTHROPIC_BASE_URL: `${at}/anthropic` }
  const upstream = { ...env, SANDBOX_UPSTREAM_URL: at, ...deaf }
  const aNode = async (): Promise<RigNode> => {
    const line = await openCuttableConnection(databaseUrl)
    return { line, server: await startTestServer({ roles: 'gateway', databaseUrl: line.url, env: upstream, crashes: true }) }
  }
  const [worker, ...nodes] = await Promise.all([
    startTestServer({ roles: 'worker', databaseUrl, env: upstream, crashes: true }),
    ...Array.from({ length: count }, aNode),
  ])
  const db = connect(databaseUrl, { max: 3 })
  const { secret } = await aKey(db, await aFundedUser(db, { userId: createId('user') }))
  return {
    ...{ nodes, db, secret, worker },
    settled: async () => {
      await waitForValue(() => isAtRest(db), 'all calls to be settled', 100)
      return waitUntilAtRest(db, outside.baseUrl)
    },
    stop: async () => {
      for (const { server, line } of nodes) {
        server.resume()
        line.mend()
      }
      worker.resume()
      await Promise.all([...nodes.map(({ server }) => server.stop()), worker.stop(), outside.stop()])
      await Promise.all(nodes.map(({ line }) => line.stop()))
      await db.close()
    },
  }
}

async function isAtRest(db: Db): Promise<boolean> {
  const [rest] = await db.query<{ busy: boolean }>(`select exists (select from gateway_calls) or exists (select from gateway_unposted)
    or exists (select from gateway_leases l where not exists (select from gateway_nodes n where n.node = l.node and n.dead_at is null)) as busy`)
  return !rest!.busy
}

async function waitUntilAtRest(db: Db, vendor: string): Promise<readonly ChargeMismatch[]> {
  const problems = (await verifyLedger(db)).problems
  if (problems.length) throw new Error(`the ledger does not verify: ${JSON.stringify(problems)}`)
  const faults = await selectSumDiscrepancies(db, toShanghaiDay(Date.now()), 10)
  if (faults.length) throw new Error(`sums differ from rows: ${faults.length}`)
  return compareCharges(db, vendor)
}
