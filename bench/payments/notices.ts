/**
 * W10: forged webhooks against valid ones. Starts a whole server, sends it `rate` forged webhooks a second for `seconds`, pays orders
 * meanwhile, and reports the latency of valid webhooks and the rows that the forged ones left. `node bench/payments/notices.ts --seconds 60
 * --rate 2000`
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '#platform/server/database/db.ts'
import { systemClock } from '#platform/server/clock.ts'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { loadInstallationKeys } from '#platform/server/sealing/installation-key.ts'
import { createLog } from '#platform/server/log.ts'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { createSettings } from '#platform/server/settings.ts'
import { createId } from '#platform/shared/ids.ts'
import { anOpenOrder, pressCashier } from '#features/payments/server/builders.ts'
import { createChannelTools } from '#features/payments/server/vendors/index.ts'
import { MERCHANT, NOTICE_KEYS, sealed } from '#features/payments/server/vendors/sandbox/envelope.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, rate: { type: 'string', default: '2000' }, valid: { type: 'string', default: '2' } },
})
const [seconds, rate, validRate] = [Number(values.seconds), Number(values.rate), Number(values.valid)]
const folder = mkdtempSync(join(tmpdir(), 'mingxi-notices-'))
const postgres = await startPostgres(folder)
const server = spawn(process.execPath, [join(import.meta.dirname, '../../apps/server/main.ts')], {
  env: {
    ...process.env,
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    ROLES: 'worker,sandbox,api',
    NODE_ENV: 'production',
    STAGE: 'qa',
    ALLOW_SANDBOX: 'payment,mail',
    LOG_LEVEL: 'info',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await bench(await waitForPort())
} finally {
  server.kill('SIGTERM')
  await new Promise((done) => server.once('exit', done))
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function waitForPort(): Promise<number> {
  let text = ''
  return new Promise((done, failed) => {
    server.stdout.on('data', (chunk) => {
      if (text === 'ready') return
      text += String(chunk)
      const port = /"port":(\d+),"msg":"listening"/.exec(text)?.[1]
      if (!port) return
      text = 'ready'
      done(Number(port))
    })
    server.once('exit', () => failed(new Error(`the server did not start:\n${text}`)))
  })
}

async function bench(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`
  const db = connect(postgres.url, { max: 4 })
  const settingsDb = connect(postgres.url, { max: 1 })
  const config = readConfig(platformConfig, { DATA_DIR: folder, STAGE: 'qa', ALLOW_SANDBOX: 'payment,mail' })
  const deps = {
    db,
    config,
    settings: createSettings(settingsDb),
    log: createLog('silent'),
    clock: systemClock,
    publicUrl: () => url,
    secretKey: loadInstallationKeys(config, folder)[0],
    secretKeys: loadInstallationKeys(config, folder),
  } as unknown as Deps
  const { secret } = createChannelTools(deps)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const post = (body: Buffer, headers: Record<string, string>) =>
    new Promise<number>((done) => {
      const call = request(
        { agent, port, host: '127.0.0.1', method: 'POST', path: '/notify/sandbox', headers: { 'content-type': 'application/json', ...headers } },
        (reply) => {
          reply.resume()
          reply.on('end', () => done(reply.statusCode ?? 0))
        },
      )
      call.on('error', () => done(0))
      call.end(body)
    })

  const payments = []
  for (let n = 0; n < Math.ceil(seconds * validRate); n++) payments.push(await anOpenOrder(deps))
  const rows = async () =>
    (await db.query<{ n: bigint }>(`select (select count(*) from payments_notices) + (select count(*) from audit_rows where action like 'notice.%') as n`))[0]!
      .n
  const before = await rows()
  const statuses = new Map<number, number>()
  const times: number[] = []
  const end = Date.now() + seconds * 1000
  const flood = (async () => {
    const open = new Set<Promise<unknown>>()
    let sent = 0
    for (const start = Date.now(); Date.now() < end; await sleep(5)) {
      for (; sent < ((Date.now() - start) / 1000) * rate && open.size < 4000; sent++) {
        const body = Buffer.from(
          JSON.stringify({ merchant: MERCHANT, notice_id: createId('n'), event: 'trade.paid', trade_no: 'X', amount: '1', currency: 'CNY' }),
        )
        const work = post(body, { 'sandbox-timestamp': String(Math.floor(Date.now() / 1000)), 'sandbox-signature': 'bm90IG91cnM' }).then((status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          open.delete(work)
        })
        open.add(work)
      }
    }
    await Promise.all(open)
    return sent
  })()
  for (const { params, order } of payments) {
    await pressCashier(params, 'silent')
    const [trade] = await db.query<{ tradeNo: string }>(`select trade_no from payments_sandbox_trades where trade_no like $1`, [`${order.orderNo}%`])
    const body = Buffer.from(
      JSON.stringify({ merchant: MERCHANT, notice_id: createId('n'), event: 'trade.paid', trade_no: trade!.tradeNo, amount: '1', currency: 'CNY' }),
    )
    const from = performance.now()
    const status = await post(body, sealed(secret, NOTICE_KEYS[0], new Date(), body))
    if (status !== 200) throw new Error(`a valid notice was answered with ${status}`)
    times.push(performance.now() - from)
    await sleep(Math.max(0, Math.min(1000 / validRate, end - Date.now())))
  }
  const sent = await flood
  const left = (await rows()) - before
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!)
  console.log(`forged ${sent} in ${seconds} s (${Math.round(sent / seconds)}/s), answered ${[...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')}`)
  console.log(`valid ${times.length}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; rows of forgeries: ${left - BigInt(times.length * 2)}`)
  agent.destroy()
  await Promise.all([db.close(), settingsDb.close()])
  if (at(0.99) > 2000 || left !== BigInt(times.length * 2)) process.exitCode = 1
}
