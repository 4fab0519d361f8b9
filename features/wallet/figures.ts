import { minus, parseUsd, sum, usd } from '#platform/shared/money.ts'
import type { BalanceInfo } from './contract.ts'

type Figures = Pick<BalanceInfo, 'balance' | 'owed' | 'totalRechargeAmount' | 'totalConsumedAmount'>

/**
 * What the balance holds beside top-ups and use: credit that was given, less what was taken back (a disputed payment). With it,
 * topped up + this = used + balance - owed, to the last decimal. Decimal text, negative when more was taken than given.
 */
export function givenOf({ balance, owed, totalRechargeAmount, totalConsumedAmount }: Figures): string {
  return usd(minus(sum([parseUsd(balance), parseUsd(totalConsumedAmount)]), sum([parseUsd(totalRechargeAmount), parseUsd(owed)])))
}
