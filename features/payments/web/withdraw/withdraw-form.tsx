import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { alipayIdentity, alipayRealName, identityNumberSchema } from '../../contract-withdraw.ts'
import type { WithdrawalRow } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { PaymentsNotice } from '../notice.tsx'
import { withdrawApi } from '../pages-api.ts'
import { WithdrawStep } from './step.tsx'
import { useWithdrawQuote, WITHDRAWALS } from './use-withdraw.ts'
import type { WithdrawQuote } from './use-withdraw.ts'
import { TextField } from '#ui/fields/text-field.tsx'
import { pageTexts } from '../../texts-pages.ts'
import { cleanAmount, isTypable, normalizeAmount, findAmountProblem } from '../pay/amount.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { WaysOut } from './ways-out.tsx'

interface WhereToProps {
  readonly amount: string
  /** Quote for this amount; undefined while it loads. */
  readonly plan: WithdrawQuote | undefined
  readonly rate: string
  readonly busy: boolean
  readonly failure: string | undefined
  readonly onBack: () => void
  /** Continues to the account step: none is stored, or the user wants another one. */
  readonly onAccount: () => void
  readonly onSend: () => void
}

/** Destination of the withdrawal: shows the ways it leaves, and whether one of them needs an account. Requires no input. */
function DestinationStep({ amount, plan, rate, busy, failure, onBack, onAccount, onSend }: WhereToProps) {
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const transfers = plan !== undefined && plan.transfer !== null && plan.transfer !== undefined
  const needsAccount = transfers && plan.account === null
  return (
    <WithdrawStep
      title={t('step_where')}
      busy={busy}
      blocked={plan === undefined}
      failure={failure}
      next={needsAccount ? t('step_next') : t('withdraw_next', { amount: displayUsd(amount) })}
      onNext={needsAccount ? onAccount : onSend}
      onBack={onBack}
    >
      <Receipt look="flat" label={pages('slip')}>
        {plan ? (
          <WaysOut amount={amount} rate={plan.rate} payAmount={plan.payAmount} parts={plan.parts} transfer={plan.transfer} />
        ) : (
          <WaysOut amount={amount} rate={rate} payAmount={null} waiting />
        )}
      </Receipt>
      {transfers && plan.account ? (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line px-4 py-3">
          <div className="min-w-0">
            <p className="text-12 text-fg-3">{t('withdraw_saved')}</p>
            <p className="text-14 whitespace-normal">
              <span className="num">{plan.account.alipay}</span> · {plan.account.name}
            </p>
          </div>
          <Button type="button" variant="ghost" size="sm" disabled={busy} onClick={onAccount}>
            {t('withdraw_change')}
          </Button>
        </div>
      ) : null}
      {plan?.coolOffUntil ? <PaymentsNotice tone="info">{t('withdraw_cool_until', { time: displayTime(plan.coolOffUntil) })}</PaymentsNotice> : null}
      {plan && parseUsd(amount) > parseUsd(plan.approvalAbove) ? (
        <PaymentsNotice tone="info">{t('withdraw_review', { amount: displayUsd(plan.approvalAbove) })}</PaymentsNotice>
      ) : null}
    </WithdrawStep>
  )
}

interface HowMuchProps {
  readonly quote: WithdrawQuote
  readonly typed: string
  readonly onType: (text: string) => void
  readonly onNext: (amount: string) => void
}

/** First step: the amount, up to the withdrawable sum. Nothing is prefilled unless the user requests it. */
function WithdrawAmountStep({ quote, typed, onType, onNext }: HowMuchProps) {
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const [asked, setAsked] = useState(false)
  const bounds = { min: quote.min, max: quote.withdrawable }
  const amount = cleanAmount(typed)
  const problem = findAmountProblem(amount, bounds)
  const note = quote.granted === '0' ? 'withdraw_balance' : 'withdraw_balance_granted'
  return (
    <WithdrawStep
      title={t('step_amount')}
      next={t('step_next')}
      onNext={() => {
        setAsked(true)
        if (amount !== undefined && !problem) onNext(amount)
      }}
    >
      <div>
        <p className="text-13 text-fg-2">{t('withdraw_can')}</p>
        <p className="num text-28 font-semibold">{displayUsd(quote.withdrawable)}</p>
        <p className="mt-0.5 text-13 text-fg-3">
          {t(note, { balance: displayUsd(quote.balance), granted: displayUsd(quote.granted), keep: displayUsd(quote.keep) })}
        </p>
      </div>
      <TextField
        label={t('withdraw_amount')}
        aside={
          <button type="button" className="link text-13" onClick={() => onType(quote.withdrawable)}>
            {t('withdraw_all')}
          </button>
        }
        inputMode="decimal"
        autoComplete="off"
        className="num"
        value={typed}
        hint={t('withdraw_left', { day: displayUsd(quote.dayLeft), month: displayUsd(quote.monthLeft) })}
        error={asked && problem ? pages(problem, { min: displayUsd(bounds.min), max: displayUsd(bounds.max) }) : undefined}
        onChange={(event) => {
          const text = normalizeAmount(event.target.value)
          if (isTypable(text, bounds)) onType(text)
        }}
      />
    </WithdrawStep>
  )
}

/** Payee: Alipay sign-in name, the name as on the identity card, and its number. Never stored in the browser. */
interface PayeeForm {
  readonly alipayIdentity: string
  readonly alipayRealName: string
  readonly identityNumber: string
}
const NO_PAYEE: PayeeForm = { alipayIdentity: '', alipayRealName: '', identityNumber: '' }

const fields = [
  { name: 'alipayIdentity', rule: alipayIdentity, label: 'withdraw_alipay', hint: 'withdraw_alipay_hint', bad: 'bad_alipay', max: 100 },
  { name: 'alipayRealName', rule: alipayRealName, label: 'withdraw_name', hint: 'withdraw_name_hint', bad: 'bad_name', max: 50 },
  { name: 'identityNumber', rule: identityNumberSchema, label: 'withdraw_identity', hint: 'withdraw_identity_hint', bad: 'bad_identity', max: 18 },
] as const

function isPayee(payee: PayeeForm): boolean {
  return fields.every(({ name, rule }) => rule.safeParse(payee[name]).success)
}

interface PayeeFieldsProps {
  readonly payee: PayeeForm
  readonly onChange: (payee: PayeeForm) => void
  /** Fields that the user has left, or all after a submit: only those show errors. */
  readonly left: ReadonlySet<string>
  readonly onLeave: (name: string) => void
  readonly disabled: boolean
}

function PayeeFields({ payee, onChange, left, onLeave, disabled }: PayeeFieldsProps) {
  const t = useTexts(withdrawTexts)
  return (
    <>
      {fields.map(({ name, rule, label, hint, bad, max }) => (
        <TextField
          key={name}
          label={t(label)}
          hint={t(hint)}
          error={left.has(name) && !rule.safeParse(payee[name]).success ? t(bad) : undefined}
          value={payee[name]}
          maxLength={max}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          onChange={(event) => onChange({ ...payee, [name]: name === 'identityNumber' ? event.target.value.toUpperCase() : event.target.value })}
          onBlur={() => {
            if (payee[name]) onLeave(name)
          }}
        />
      ))}
    </>
  )
}

interface WithdrawFormProps {
  readonly quote: WithdrawQuote
  readonly onMade: (row: WithdrawalRow, plan: WithdrawQuote | undefined) => void
}

/** Query keys to invalidate after a withdrawal attempt. */
const CHANGED = [[...WITHDRAWALS], ['payments', 'records'], ['wallet']]

/** Form in steps: amount, destination, then the fields required by the destination. Going back keeps all input. */
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
  // Figures of another amount are not shown with this one.
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
      // A channel has refunded less since the plan was made.
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
