import type { RiskRow } from './data-withdrawals.ts'

export interface RiskFact {
  /** Text key; `value` fills the text. */
  readonly key: string
  readonly tone: 'good' | 'warn' | 'bad'
  readonly value: string
}

const HOUR_MS = 3_600_000
const fact = (key: string, tone: RiskFact['tone'], value: string | number = ''): RiskFact => ({ key, tone, value: String(value) })

/** Risk factors of a payout, in favour and against. */
export function payoutFacts(risk: RiskRow, now: Date): RiskFact[] {
  const changedHours = risk.payee_changed_at ? Math.floor((now.getTime() - risk.payee_changed_at.getTime()) / HOUR_MS) : undefined
  return [
    risk.paid_before === 0 ? fact('firstWithdrawal', 'warn') : fact('paidBefore', 'good', risk.paid_before),
    risk.verified ? fact('verified', 'good') : fact('notVerified', 'warn'),
    changedHours === undefined
      ? fact(risk.payee_since ? 'payeeStable' : 'payeeNone', 'good')
      : changedHours < 24
        ? fact('payeeChanged', 'bad', changedHours)
        : changedHours < 24 * 7
          ? fact('payeeChanged', 'warn', changedHours)
          : fact('payeeStable', 'good'),
    risk.payee_users > 0 ? fact('payeeShared', 'bad', risk.payee_users) : fact('payeeOwn', 'good'),
    risk.disputes > 0 ? fact('disputes', 'bad', risk.disputes) : fact('noDisputes', 'good'),
    risk.reviews > 0 ? fact('inRing', 'bad') : fact('notInRing', 'good'),
    risk.account_days < 7 ? fact('youngAccount', 'warn', risk.account_days + 1) : fact('accountAge', 'good', risk.account_days),
    ...(risk.new_device_at ? [fact('newDevice', 'warn', Math.max(1, Math.ceil((now.getTime() - risk.new_device_at.getTime()) / HOUR_MS)))] : []),
    risk.payments === 0 ? fact('noPayments', 'warn') : fact('payments', 'good', risk.payments),
  ]
}
