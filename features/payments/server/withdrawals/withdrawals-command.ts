/**
 * `npm run payments:withdrawals -- list`: withdrawals that wait for a person. `-- approve NO --as NAME --reason "…"` lets
 * one leave, `-- reject NO --as NAME --reason "…"` gives its money back. Who asked for the money cannot decide.
 */
import { parseArgs } from 'node:util'
import { runCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { minorText, usd } from '#platform/shared/money.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { paymentsConfig } from '../config.ts'
import { withdrawalsIn } from './data.ts'
import { decideWithdrawal } from './verbs/decide-withdrawal.ts'

const USAGE = 'list | approve NO --as NAME --reason "…" | reject NO --as NAME --reason "…"'
const { values, positionals } = parseArgs({ allowPositionals: true, options: { as: { type: 'string' }, reason: { type: 'string' } } })
const [what = 'list', withdrawalNo = ''] = positionals

await runCommand('payments-withdrawals', paymentsConfig, run)

async function run(deps: Deps): Promise<void> {
  if (what === 'list') {
    for (const row of await withdrawalsIn(deps.db, ['approving'], 200))
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
