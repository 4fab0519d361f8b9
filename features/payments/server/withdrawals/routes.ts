import { bind } from '#platform/server/feature.ts'
import { withdrawContract } from '../../contract-withdraw.ts'
import { balanceRefund } from './verbs/balance-refund.ts'
import { cancelWithdrawal } from './verbs/cancel-withdrawal.ts'
import { withdrawalDetail, withdrawalList } from './verbs/list-withdrawals.ts'
import { withdrawQuote } from './verbs/withdraw-quote.ts'

export const withdrawRoutes = bind(withdrawContract, { withdrawQuote, balanceRefund, withdrawalList, withdrawalDetail, cancelWithdrawal })
