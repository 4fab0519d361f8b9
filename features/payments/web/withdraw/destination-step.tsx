import { parseUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { pageTexts } from '../../texts-pages.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { PaymentsNotice } from '../notice.tsx'
import { WithdrawStep } from './step.tsx'
import type { WithdrawQuote } from './use-withdraw.ts'
import { WaysOut } from './ways-out.tsx'

interface WhereToProps {
  readonly amount: string
  /** Of this amount; undefined while it is on its way. */
  readonly plan: WithdrawQuote | undefined
  readonly rate: string
  readonly busy: boolean
  readonly failure: string | undefined
  readonly onBack: () => void
  /** To the account: none is kept, or another one is wanted. */
  readonly onAccount: () => void
  readonly onSend: () => void
}

/** The second question answers itself: by which ways the money goes, and whether one of them needs an account. */
export function DestinationStep({ amount, plan, rate, busy, failure, onBack, onAccount, onSend }: WhereToProps) {
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
