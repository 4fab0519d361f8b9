/** Common base of both benches of the overseas tools: PostgreSQL, a whole server in a separate process, users with money and a card. */
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '#platform/server/clock.ts'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { connect } from '#platform/server/database/db.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import type { Deps } from '#platform/server/feature.ts'
import { loadInstallationKeys } from '#platform/server/sealing/installation-key.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

const PIN = '271828'

export async function startToolServer(roles: string, env: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-tools-'))
  const postgres = await startPostgres(folder)
  const SECRET_KEY = randomBytes(32).toString('base64')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/server/main.ts')], {
    env: {
      ...process.env,
      ...env,
      SECRET_KEY,
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      PORT: '0',
      HOST: '127.0.0.1',
      ROLES: roles,
      STAGE: 'qa',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text = `${text}${String(chunk)}`.slice(-100_000)))
  const told = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(text)?.[1]
      if (found) return Number(found)
      if (child.exitCode !== null) throw new Error(`the server ended: ${text.slice(-2000)}`)
      await sleep(20)
    }
  }
  const port = await told(/"port":(\d+),"msg":"listening"/)
  const proxyPort = await told(/"proxyPort":(\d+)/)
  const db = connect(postgres.url, { max: 6 })
  const keys = loadInstallationKeys({ SECRET_KEY, SECRET_KEYS_OTHER: [], STAGE: 'qa' }, folder)
  const parts = { db, config: readConfig(platformConfig, { LOG_LEVEL: 'silent' }), settings: createSettings(db), log: createLog('silent'), clock: systemClock }
  const deps = { ...parts, secretKey: keys[0], secretKeys: keys } as unknown as Deps
  const ask = async (token: string, method: 'GET' | 'POST', { path, body = {} }: { readonly path: string; readonly body?: object }) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'accesstoken': token, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    const { code, msg, data } = (await reply.json()) as { code: number; msg: string; data: any } // oxlint-disable-line typescript/no-explicit-any
    if (code !== 200) throw new Error(`${path}: ${code} ${msg}`)
    return data
  }
  return {
    port,
    proxyPort,
    pid: child.pid!,
    baseUrl: `http://127.0.0.1:${port}`,
    db,
    ask,
    /** A user with a card and ten dollars. */
    aMember: async () => {
      const user = await aUser(deps)
      await aPayPassword(deps, user.userId, PIN)
      await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
      await anActiveCard(deps, { userId: user.userId })
      return user
    },
    pay: (token: string, { orderType, service }: { orderType: number; service: string }) =>
      ask(token, 'POST', { path: '/v1/pay/balancePay', body: { orderType, service, payPassword: PIN } }),
    stop: async () => {
      child.kill('SIGTERM')
      await new Promise((done) => child.once('exit', done))
      await db.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const TICKS = 100
/** Seconds of processor time used by a process and its descendants. */
export function readProcessTreeCpu(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent, , , , , , , , , , user, system, , ,] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
        return [{ pid: Number(name), parent: Number(parent), ticks: Number(user) + Number(system) }]
      } catch {
        return [] // the process has ended meanwhile
      }
    })
  const below = (one: number): number => stats.filter(({ parent }) => parent === one).reduce((sum, { pid: child, ticks }) => sum + ticks + below(child), 0)
  return ((stats.find((one) => one.pid === pid)?.ticks ?? 0) + below(pid)) / TICKS
}

/** Memory of a process in megabytes. */
export const readProcessMb = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

export function computePercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
