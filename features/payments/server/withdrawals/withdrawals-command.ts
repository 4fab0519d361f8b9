/**
 * `npm run payments:withdrawals -- list`: withdrawals that wait for a person. `-- approve NO --as NAME --reason "…"` lets
 * one leave, `-- reject NO --as NAME --reason "…"` gives its money back. Who asked for the money cannot decide.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '#platform/server/clock.ts'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { connect } from '#platform/server/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { installationKey } from '#platform/server/installation-key.ts'
import { createJobs } from '#platform/server/jobs.ts'
import { createLog } from '#platform/server/log.ts'
import { startPostgres } from '#platform/server/postgres.ts'
import { createSettings } from '#platform/server/settings.ts'
import { Failure } from '#platform/shared/errors.ts'
import { minorText, usd } from '#platform/shared/money.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { paymentsConfig } from '../config.ts'
import { withdrawalsIn } from './data.ts'
import { decideWithdrawal } from './verbs/decide-withdrawal.ts'

const USAGE = 'list | approve NO --as NAME --reason "…" | reject NO --as NAME --reason "…"'
const { values, positionals } = parseArgs({ allowPositionals: true, options: { as: { type: 'string' }, reason: { type: 'string' } } })
const [what = 'list', withdrawalNo = ''] = positionals
const config = readConfig({ ...platformConfig, ...paymentsConfig })
const postgres = config.DATABASE_URL ? undefined : await startPostgres(resolve(config.DATA_DIR))
const databaseUrl = config.DATABASE_URL ?? postgres!.url
const db = connect(databaseUrl, { max: 4, name: 'mingxi-payments-withdrawals' })
const log = createLog('warn')
const deps: Deps = {
  db,
  config: config as Deps['config'],
  settings: createSettings(db),
  jobs: createJobs(databaseUrl, log),
  log,
  clock: systemClock,
  publicUrl: () => config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${config.PORT}`,
  secretKey: installationKey(config, resolve(config.DATA_DIR)),
}

try {
  await run()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(`${error.errorName} ${JSON.stringify(error.data ?? {})}`)
  process.exitCode = 1
} finally {
  await db.close()
  await postgres?.stop()
}

async function run(): Promise<void> {
  if (what === 'list') {
    for (const row of await withdrawalsIn(db, ['approving'], 200))
      console.log(
        `${row.withdrawal_no}  ${shanghaiTime(row.created_at)}  $${usd(row.amount_nano)}  CNY ${minorText(row.pay_minor)}  ${row.user_id}  ${row.shown.alipay}`,
      )
    return
  }
  if ((what !== 'approve' && what !== 'reject') || !withdrawalNo || !values.as || !values.reason) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const { state } = await decideWithdrawal(deps, { kind: 'operator', id: values.as }, withdrawalNo, what, values.reason)
  console.log(`${withdrawalNo} ${state}`)
}
