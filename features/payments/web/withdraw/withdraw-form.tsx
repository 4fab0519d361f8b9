import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { WithdrawalRow } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { PaymentsNotice } from '../notice.tsx'
import { withdrawApi } from '../pages-api.ts'
import { WithdrawAmountStep } from './withdraw-amount-step.tsx'
import { isPayee, NO_PAYEE, PayeeFields } from './payee-fields.tsx'
import { WithdrawStep } from './step.tsx'
import { useWithdrawQuote, WITHDRAWALS } from './use-withdraw.ts'
import type { WithdrawQuote } from './use-withdraw.ts'
import { DestinationStep } from './destination-step.tsx'

interface WithdrawFormProps {
  readonly quote: WithdrawQuote
  readonly onMade: (row: WithdrawalRow, plan: WithdrawQuote | undefined) => void
}

/** Query keys to invalidate after a withdrawal attempt. */
const CHANGED = [[...WITHDRAWALS], ['payments', 'records'], ['wallet']]

/** Form in steps: amount, destination, then the fields that this way needs. Going back keeps all input. */
export function WithdrawForm({ quote, onMade }: WithdrawFormProps) {
  const t = useTexts(withdrawTexts)
  const p = useTexts(paymentTexts)
  const cache = useQueryClient()
  const [step, setStep] = useState<'amount' | 'where' | 'account'>('amount')
  const [typed, setTyped] = useState('')
  const [amount, setAmount] = useState<string>()
  const [payee, setPayee] = useState(NO_PAYEE)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const priced = useWithdrawQuote(amount !== undefined, amount)
  // Figures of another amount are not shown beside this one.
  const plan = amount === undefined || priced.isPlaceholderData ? undefined : priced.data
  const go = (to: typeof step) => {
    setFailure(undefined)
    setStep(to)
  }

  const send = async (named: Partial<typeof NO_PAYEE> = {}) => {
    setFailure(undefined)
    setBusy(true)
    try {
      const payPassword = await requestPayPassword()
      if (payPassword === undefined || amount === undefined) return
      onMade(await withdrawApi.balanceRefund({ amount, payPassword, ...named }), plan)
    } catch (error) {
      setFailure(isApiError(error) ? error.message : p('openFailed'))
      // since it was planned, a channel has taken less
      if (isApiError(error) && error.errorName === 'PAYOUT_ACCOUNT_NEEDED') setStep('account')
    } finally {
      setBusy(false)
      for (const queryKey of CHANGED) void cache.invalidateQueries({ queryKey })
    }
  }

  if (step === 'amount' || amount === undefined)
    return (
      <WithdrawAmountStep
        quote={quote}
        typed={typed}
        onType={setTyped}
        onNext={(next) => {
          setAmount(next)
          go('where')
        }}
      />
    )
  if (step === 'where')
    return (
      <DestinationStep
        key="where"
        {...{ amount, plan, busy, failure }}
        rate={quote.rate}
        onBack={() => go('amount')}
        onAccount={() => go('account')}
        onSend={() => void send()}
      />
    )
  return (
    <WithdrawStep
      key="account"
      title={t('withdraw_to')}
      busy={busy}
      failure={failure}
      next={t('withdraw_next', { amount: displayUsd(amount) })}
      onNext={() => {
        setLeft(new Set(Object.keys(NO_PAYEE)))
        if (isPayee(payee)) void send(payee)
      }}
      onBack={() => go('where')}
    >
      <p className="-mt-3 text-14 text-fg-2">{t('withdraw_to_about', { amount: displayUsd(plan?.transfer?.amount ?? amount) })}</p>
      <div className="grid gap-4">
        <PayeeFields payee={payee} onChange={setPayee} left={left} onLeave={(name) => setLeft((old) => new Set([...old, name]))} disabled={busy} />
      </div>
      {quote.account ? <PaymentsNotice tone="info">{t('withdraw_cool')}</PaymentsNotice> : null}
    </WithdrawStep>
  )
}
