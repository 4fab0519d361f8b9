import { minorText, usd } from '#platform/shared/money.ts'
import type { WithdrawalRow as Row } from '../../contract-withdraw.ts'
import { withdrawStatusOf } from '../../words-out.ts'
import type { WithdrawalState } from '../../words-out.ts'
import type { WithdrawalRow } from './data.ts'

/** States that the user can still give it up from. */
export const CANCELLABLE: readonly WithdrawalState[] = ['requested', 'approving', 'approved']

export function withdrawalView(row: WithdrawalRow): Row {
  return {
    withdrawalNo: row.withdrawal_no,
    amount: usd(row.amount_nano),
    payAmount: minorText(row.pay_minor),
    payCurrency: 'CNY',
    rate: row.rate,
    state: row.state,
    withdrawStatus: withdrawStatusOf(row.state),
    account: { alipay: row.shown.alipay, name: row.shown.name },
    reason: row.reason,
    cancellable: CANCELLABLE.includes(row.state),
    createdTime: row.created_at.toISOString(),
    payAfterTime: row.pay_after?.toISOString() ?? null,
    finishedTime: row.finished_at?.toISOString() ?? null,
  }
}
