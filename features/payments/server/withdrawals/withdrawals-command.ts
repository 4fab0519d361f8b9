/**
 * `npm run payments:withdrawals -- list`: withdrawals that wait for a person. Deciding one is an operator's command
 * (`withdrawals/commands.ts`), under this name too.
 */
import { runCommand } from '#platform/server/command.ts'
import { minorText, usd } from '#platform/shared/money.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { paymentsConfig } from '../config.ts'
import { withdrawalsIn } from '../set-aside/data.ts'

await runCommand('payments-withdrawals', paymentsConfig, async (deps) => {
  for (const row of await withdrawalsIn(deps.db, ['approving'], 200))
    console.log(
      `${row.withdrawal_no}  ${shanghaiTime(row.created_at)}  $${usd(row.amount_nano)}  CNY ${minorText(row.pay_minor)}  ${row.user_id}  ${row.shown.alipay}`,
    )
})
