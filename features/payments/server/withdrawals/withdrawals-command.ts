/**
 * `npm run payments:withdrawals -- list`: withdrawals that wait for an operator. Decisions are operator commands
 * (`withdrawals/commands.ts`), also available under this name.
 */
import { runInstallationCommand } from '#platform/server/command.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { paymentsConfig } from '../config.ts'
import { selectWithdrawalsInStates } from '../set-aside/data.ts'

await runInstallationCommand('payments-withdrawals', paymentsConfig, async (deps) => {
  for (const row of await selectWithdrawalsInStates(deps.db, ['approving'], 200))
    console.log(
      `${row.withdrawalNo}  ${toShanghaiTime(row.createdAt)}  $${formatUsd(row.amountNano)}  CNY ${formatMinor(row.payMinor)}  ${row.userId}  ${row.shown.alipay}`,
    )
})
