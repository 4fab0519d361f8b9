import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { createId } from '#platform/shared/ids.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'
import { GATEWAY_CORE, OTHER_CORE } from './load.ts'
import type { Rival } from './load.ts'
import { MOCK_URL } from './rivals.ts'

export interface RealServer {
  /** The server processes, each on its core. */
  readonly rivals: readonly Rival[]
  readonly db: Db
  /** URL of its database. */
  readonly databaseUrl: string
  /** Stops it and reports the ledger: usage rows, their sum, and whether every book adds up. */
  finish(): Promise<string>
}

export interface RealOptions {
  /** Core of each gateway process; defaults to one process on the gateway's core. */
  readonly cores?: readonly string[]
  /** Core of PostgreSQL. */
  readonly databaseCore?: string
  /**
   * `embedded`, or a folder with PostgreSQL's programs; defaults to the distribution's build if there is one, which is compiled for speed.
   */
  readonly postgres?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The server of another checkout, started and filled by that checkout's own bench. */
export async function startOtherCheckout(folder: string, options: RealOptions = {}): Promise<RealServer> {
  const other = (await import(resolve(folder, 'bench/gateway/real.ts'))) as { startReal: typeof startReal }
  const port = '9340' // both checkouts use the same default port
  const real = await other.startReal({ ...options, env: { ...options.env, PORT: port } })
  return { ...real, rivals: [{ ...real.rivals[0]!, name: 'other', base: `http://127.0.0.1:${port}` }] }
}

const DEBIAN = '/usr/lib/postgresql'
let nextPort = 9320
/** As `npm start` sets it. */
const TUNING = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'mingxi-compiled'),
  ...(JSON.parse(readFileSync(join(import.meta.dirname, '../../scripts/tuning.json'), 'utf8')) as Record<string, string>),
}

/** The real gateway process, with its own PostgreSQL (fsync on) on the other core, and the mock as every vendor. */
export async function startReal(options: RealOptions = {}): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-real-'))
  execFileSync('taskset', ['-pc', options.databaseCore ?? OTHER_CORE, String(process.pid)], { stdio: 'ignore' }) // inherited by PostgreSQL
  const postgres = await startPostgres(folder, { max_wal_size: '2GB' }, findPostgresPrograms(options.postgres))
  await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
  const db = connect(postgres.url, { max: 2 })
  const userId = await aFundedUser(db, { userId: createId('user'), purchased: 100_000_000_000_000n })
  const { secret } = await aKey(db, userId)
  // One account carries the load of a thousand, so its limits are lifted.
  await db.query(
    `insert into settings (key, value, updated_by) values ('gateway.account-requests-minute', '0', 'bench'), ('gateway.account-at-once', '0', 'bench')`,
  )
  const children: ChildProcess[] = []
  const rivals: Rival[] = []
  for (const [i, core] of (options.cores ?? [GATEWAY_CORE]).entries()) {
    const port = nextPort++
    const child = await startGateway(core, port, { databaseUrl: postgres.url, folder, env: options.env })
    children.push(child)
    rivals.push({ name: i ? `mingxi ${i + 1}` : 'mingxi', base: `http://127.0.0.1:${port}`, key: secret, headers: [], pid: child.pid! })
  }
  return {
    rivals,
    db,
    databaseUrl: postgres.url,
    finish: async () => {
      for (const child of children) {
        const gone = new Promise<void>((done) => child.once('exit', () => done()))
        child.kill('SIGTERM')
        await gone
      }
      const [rows] = await db.query<{ calls: bigint; amount: bigint }>(
        'select count(*) as calls, coalesce(sum(amount), 0)::bigint as amount from gateway_usage',
      )
      const [account] = await db.query<{ spent: bigint }>(`select sum(spent)::bigint as spent from wallet_accounts where kind = 'customer'`)
      const { problems } = await verifyLedger(db)
      await db.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
      return `${rows!.calls} calls charged, ${rows!.amount === account!.spent ? 'rows and ledger agree' : 'ROWS AND LEDGER DISAGREE'}, ${problems.length ? `LEDGER PROBLEMS ${JSON.stringify(problems[0])}` : 'every chain and balance verified'}`
    },
  }
}

function findPostgresPrograms(asked: string | undefined): string | undefined {
  if (asked === 'embedded') return undefined
  if (asked !== undefined) return asked
  const version = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))[0] : undefined
  const folder = version === undefined ? undefined : join(DEBIAN, version, 'bin')
  console.error(
    folder ? `PostgreSQL ${version} of the distribution` : 'PostgreSQL of the npm package, compiled for size (apt-get install postgresql for the faster build)',
  )
  return folder
}

async function startGateway(
  core: string,
  port: number,
  { databaseUrl, folder, env = {} }: { readonly databaseUrl: string; readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ChildProcess> {
  const nodeArgs = (process.env['BENCH_NODE_ARGS'] ?? '').split(' ').filter(Boolean)
  const child = spawn('taskset', ['-c', core, process.execPath, ...nodeArgs, join(import.meta.dirname, '../../apps/server/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...TUNING,
      NODE_ENV: 'production',
      ROLES: 'gateway',
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: MOCK_URL,
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: MOCK_URL,
      GEMINI_API_KEY: 'bench',
      GEMINI_BASE_URL: MOCK_URL,
      ...env,
    },
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('"listening"')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the server left with ${code}`)))
  })
  return child
}
