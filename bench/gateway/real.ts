import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#platform/server/db.ts'
import { migrate } from '#platform/server/migrate.ts'
import { startPostgres } from '#platform/server/postgres.ts'
import { newId } from '#platform/shared/ids.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { verifyLedger } from '#features/wallet/server/verify.ts'

export interface RealServer {
  readonly base: string
  readonly key: string
  readonly pid: number
  /** Stops it and says what the ledger holds: usage rows, their sum and whether every book adds up. */
  finish(): Promise<string>
}

/** The real gateway process on core 0, with its own PostgreSQL (fsync on) on core 1, and the mock at `upstream` as every vendor. */
export async function startReal(port: number, upstream: string): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-real-'))
  execFileSync('taskset', ['-pc', '1', String(process.pid)], { stdio: 'ignore' }) // PostgreSQL inherits it
  const postgres = await startPostgres(folder, { max_wal_size: '2GB' })
  await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
  const child = spawn('taskset', ['-c', '0', process.execPath, join(import.meta.dirname, '../../apps/server/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ROLES: 'gateway',
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: upstream,
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: upstream,
      GEMINI_API_KEY: 'bench',
      GEMINI_BASE_URL: upstream,
    },
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('"listening"')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the server left with ${code}`)))
  })
  const db = connect(postgres.url, { max: 2 })
  const userId = await aFundedUser(db, { userId: newId('user'), purchased: 100_000_000_000_000n })
  const { secret } = await aKey(db, userId)
  return {
    base: `http://127.0.0.1:${port}`,
    key: secret,
    pid: child.pid!,
    finish: async () => {
      const gone = new Promise<void>((done) => child.once('exit', () => done()))
      child.kill('SIGTERM')
      await gone
      const [rows] = await db.query<{ calls: bigint; amount: bigint }>(
        'select count(*) as calls, coalesce(sum(amount), 0)::bigint as amount from gateway_usage',
      )
      const [account] = await db.query<{ spent: bigint }>(`select spent from wallet_accounts where owner = $1 and kind = 'customer'`, [`user:${userId}`])
      const { problems } = await verifyLedger(db)
      await db.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
      return `${rows!.calls} calls charged, ${rows!.amount === account!.spent ? 'rows and ledger agree' : 'ROWS AND LEDGER DISAGREE'}, ${problems.length ? `LEDGER PROBLEMS ${JSON.stringify(problems[0])}` : 'every chain and balance verified'}`
    },
  }
}
