import type { PayoutRiskRow } from './data-withdrawals.ts'

export interface PayoutRiskFact {
  /** Text key; `value` fills the text. */
  readonly key: string
  readonly tone: 'good' | 'warn' | 'bad'
  readonly value: string
}

const HOUR_MS = 3_600_000
const buildFact = (key: string, tone: PayoutRiskFact['tone'], value: string | number = ''): PayoutRiskFact => ({ key, tone, value: String(value) })

/** Risk factors of a payout, in favour and against. */
export function listPayoutRiskFacts(risk: PayoutRiskRow, now: Date): PayoutRiskFact[] {
  const changedHours = risk.payeeChangedAt ? Math.floor((now.getTime() - risk.payeeChangedAt.getTime()) / HOUR_MS) : undefined
  return [
    risk.paidBefore === 0 ? buildFact('firstWithdrawal', 'warn') : buildFact('paidBefore', 'good', risk.paidBefore),
    risk.verified ? buildFact('verified', 'good') : buildFact('notVerified', 'warn'),
    changedHours === undefined
      ? buildFact(risk.payeeSince ? 'payeeStable' : 'payeeNone', 'good')
      : changedHours < 24
        ? buildFact('payeeChanged', 'bad', changedHours)
        : changedHours < 24 * 7
          ? buildFact('payeeChanged', 'warn', changedHours)
          : buildFact('payeeStable', 'good'),
    risk.payeeUsers > 0 ? buildFact('payeeShared', 'bad', risk.payeeUsers) : buildFact('payeeOwn', 'good'),
    risk.disputes > 0 ? buildFact('disputes', 'bad', risk.disputes) : buildFact('noDisputes', 'good'),
    risk.reviews > 0 ? buildFact('inRing', 'bad') : buildFact('notInRing', 'good'),
    risk.accountDays < 7 ? buildFact('youngAccount', 'warn', risk.accountDays + 1) : buildFact('accountAge', 'good', risk.accountDays),
    ...(risk.newDeviceAt ? [buildFact('newDevice', 'warn', Math.max(1, Math.ceil((now.getTime() - risk.newDeviceAt.getTime()) / HOUR_MS)))] : []),
    risk.payments === 0 ? buildFact('noPayments', 'warn') : buildFact('payments', 'good', risk.payments),
  ]
}
