import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { pinCatalogueDate } from '#platform/testing/global-setup.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { OPERATOR_ROLE_NAMES } from '#features/backoffice/permissions.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aMailbox } from '#features/mailbox/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { features } from '../../apps/server/features.ts'
import { startAttackVendor } from '../../e2e/attack/vendor/server.ts'
import type { LoopStop } from './probe.ts'

/** A server to be fuzzed, with a customer of 100 dollars and an operator with all permissions. */
export interface FuzzStage {
  readonly url: string
  /** The operators' origin, and a session token there. */
  readonly console: { readonly url: string; readonly token: string }
  /** Port of its SMTP server. */
  readonly smtpPort: number
  /** Opens a new mailbox for the customer; returns its address. */
  mailbox(): Promise<string>
  readonly token: string
  readonly key: string
  /** The longest block of its event loop since the last call. */
  stop(): Promise<LoopStop>
  /** True while the server process runs. */
  isAlive(): boolean
  output(): string
  close(): Promise<void>
}

const DOMAIN = 'box.example'

export async function openFuzzStage(): Promise<FuzzStage> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-fuzz-'))
  const postgres = await startPostgres(join(folder, 'db'), { max_connections: '100', shared_buffers: '64MB', fsync: 'off', full_page_writes: 'off' })
  await migrate(postgres.url, join(import.meta.dirname, '../../apps/server/migrations'))
  await pinCatalogueDate(postgres.url)
  const vendor = await startAttackVendor()
  const db = connect(postgres.url, { max: 4 })
  const { deps } = createTestApp({ features, db, env: { DATA_DIR: folder, MAILBOX_DOMAINS: DOMAIN } })
  // Makes its service known here too: mailboxes are built by this process.
  await features.find(({ name }) => name === 'mailbox')?.start?.(deps, new Set())
  const zone = join(folder, 'zone.json')
  writeFileSync(zone, '{}')
  const probe = join(folder, 'probe')
  const vendors = ['OPENAI', 'ANTHROPIC', 'GEMINI', 'COHERE'].flatMap((name) => [
    [`${name}_API_KEY`, 'fuzz'],
    [`${name}_BASE_URL`, vendor.url],
  ])
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/server/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...Object.fromEntries(vendors),
      NODE_ENV: 'production',
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'probe.ts')}`,
      FUZZ_PROBE: probe,
      LOG_LEVEL: 'info',
      WARM_PAGES: 'false',
      DEMO: 'false',
      ROLES: 'api,gateway,console,mail',
      MAILBOX_DOMAINS: DOMAIN,
      MAILBOX_SMTP_PORT: '0',
      MAILBOX_ZONE_FILE: zone,
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      SECRET_KEY: deps.secretKey.toString('base64'),
      HOST: '127.0.0.1',
      PORT: '0',
      CONSOLE_PORT: '0',
      PROXY_PORT: '0',
    },
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text = (text + String(chunk)).slice(-50_000)))
  const portIn = async (line: RegExp): Promise<number> => {
    for (let port: string | undefined; ; await sleep(50)) {
      port = line.exec(text)?.[1]
      if (port !== undefined) return Number(port)
      if (child.exitCode !== null) throw new Error(`the server did not start:\n${text}`)
    }
  }
  const smtpPort = await portIn(/"port":(\d+),"domains"/)
  const consolePort = await portIn(/"consolePort":(\d+)/)
  const port = await portIn(/"port":(\d+),"msg":"listening"/)
  const { userId, token } = await aUser(deps)
  await aFundedUser(db, { userId })
  const { secret: key } = await aKey(db, userId)
  const operator = await anOperator(deps, OPERATOR_ROLE_NAMES)
  const asking = connectTo(probe)
  const lines = createInterface({ input: asking })[Symbol.asyncIterator]()
  return {
    url: `http://127.0.0.1:${port}`,
    console: { url: `http://127.0.0.1:${consolePort}`, token: operator.token },
    smtpPort,
    mailbox: async () => (await aMailbox(deps, { userId })).address,
    token,
    key,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    output: () => text,
    stop: async () => {
      asking.write('?')
      return JSON.parse(String((await lines.next()).value)) as LoopStop
    },
    close: async () => {
      asking.destroy()
      const gone = new Promise((done) => child.once('exit', done))
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await Promise.race([gone, sleep(15_000)])
        child.kill('SIGKILL')
      }
      await db.close()
      await vendor.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
