import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { openSupport } from '#platform/web/state/support.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { MoneyText } from '#ui/money-text.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { withdrawContract } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { WITHDRAWAL_ABOUT_TEXT, WITHDRAWAL_REASON_TEXT, WITHDRAWAL_STATE_TEXT } from '../../labels/texts-withdrawal-states.ts'
import { PaymentsNotice } from '../notice.tsx'
import { LabeledFact } from '../page-head.tsx'
import { withdrawApi } from '../pages-api.ts'
import { payDisplay } from '../pay/pay-money.tsx'
import { ProgressTimeline } from '../progress.tsx'
import { isUnderWay, useBalanceAfter, useWithdrawal, WITHDRAWALS } from './use-withdraw.ts'
import { WaysOut } from './ways-out.tsx'
import { computeReturned, isTakenByDebt, useStateText, WithdrawalBadge } from './withdrawal-badge.tsx'
import { methodTextKey } from '../../contract-methods.ts'

type Detail = ReplyOf<(typeof withdrawContract)['withdrawalDetail']>

/** /withdrawals/{withdrawalNo}: linked from mails. */
export function WithdrawalPage() {
  const t = useTexts(withdrawTexts)
  const { withdrawalNo = '' } = useParams({ strict: false }) as { withdrawalNo?: string }
  useTitle(t('withdraw_page'))
  const { data, error, refetch } = useWithdrawal(withdrawalNo)
  if (data) return <WithdrawalDetails detail={data} />
  return (
    <Frame>
      {!error ? (
        <div className="grid gap-8 desktop:grid-cols-[minmax(0,440px)_minmax(0,1fr)]" aria-busy="true">
          <Skeleton className="h-60" />
          <Skeleton className="h-40" />
        </div>
      ) : isApiError(error) && (error.errorName === 'WITHDRAWAL_NOT_FOUND' || error.errorName === 'BAD_INPUT') ? (
        <div className="card">
          <EmptyState
            title={t('withdraw_missing')}
            body={t('withdraw_missing_about')}
            action={
              <Link to="/withdrawals" className={getButtonClass('secondary')}>
                {t('all_withdrawals')}
              </Link>
            }
          />
        </div>
      ) : (
        <ErrorState error={error} title={t('withdraw_failed')} onRetry={() => void refetch()} />
      )}
    </Frame>
  )
}

function WithdrawalDetails({ detail }: { readonly detail: Detail }) {
  useBalanceAfter(detail.withdrawalNo)
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const { withdrawalNo, amount, state, reason, account, timeline, payAfterTime } = detail
  const why = (name: string) => (name ? p(resolveTextKey(WITHDRAWAL_REASON_TEXT, name)) : '')
  const mobile = useIsMobile()
  const stateText = useStateText(detail)
  const arrived = useArrivalText(detail)
  const progress = <Steps timeline={timeline} moving={isUnderWay(state)} why={why} end={isTakenByDebt(detail) ? stateText : undefined} />
  const taken = displayUsd(detail.taken)
  const figures = { taken, amount: displayUsd(computeReturned(detail)) }
  const about = isTakenByDebt(detail) ? t('w_about_taken', figures) : state === 'paid' ? arrived : t(WITHDRAWAL_ABOUT_TEXT[state], figures)
  const failed = state === 'failed' || state === 'rejected' || state === 'returned'
  return (
    <Frame amount={amount} badge={<WithdrawalBadge row={detail} />}>
      <div className="grid grid-cols-1 items-start gap-8 desktop:grid-cols-[minmax(0,440px)_minmax(0,1fr)] desktop:gap-10 mobile:gap-6">
        <div className="min-w-0 desktop:order-2">
          <div role="status">
            <p className="text-18 font-bold">{stateText}</p>
            <p className="mt-1 text-14 text-fg-2">{detail.held ? t('w_about_held') : about}</p>
          </div>
          <div className="mt-4 grid gap-3 empty:hidden">
            {failed && reason ? (
              <PaymentsNotice tone="danger" title={t('withdraw_why')}>
                {why(reason)}
              </PaymentsNotice>
            ) : null}
            {detail.taken !== '0' && isUnderWay(state) ? <PaymentsNotice tone="info">{t('w_taken_first', { taken })}</PaymentsNotice> : null}
            {detail.owed === undefined ? null : <PaymentsNotice tone="warning">{t('w_owed_first', { amount: displayUsd(detail.owed) })}</PaymentsNotice>}
            {payAfterTime && isUnderWay(state) && state !== 'in_transit' && Date.parse(payAfterTime) > Date.now() ? (
              <PaymentsNotice tone="info">{t('withdraw_cool_until', { time: displayTime(payAfterTime) })}</PaymentsNotice>
            ) : null}
          </div>
          <Actions detail={detail} failed={failed} />
          {mobile ? null : <div className="mt-8">{progress}</div>}
        </div>
        <div className="min-w-0">
          <Receipt look="inline" label={pages('slip')} className="w-full">
            <WaysOut {...detail} dead={detail.withdrawStatus === 2} />
          </Receipt>
          <dl className="mt-4 divide-y divide-line">
            <LabeledFact name={t('fact_withdrawal')}>
              <span className="inline-flex items-center gap-1">
                <span className="num whitespace-normal">{withdrawalNo}</span>
                <CopyButton iconOnly text={withdrawalNo} label={t('copy_withdrawal')} className="-my-2" />
              </span>
            </LabeledFact>
            {account.alipay ? (
              <LabeledFact name={t('fact_account')}>
                <span className="whitespace-normal">
                  <span className="num">{account.alipay}</span> · {account.name}
                </span>
              </LabeledFact>
            ) : null}
            <LabeledFact name={t('fact_asked')}>
              <Time at={detail.createdTime} show="second" />
            </LabeledFact>
          </dl>
        </div>
        {mobile ? progress : null}
      </div>
    </Frame>
  )
}

/** Ways by which a withdrawal arrived, each with its sum: "¥71.23 已退回云闪付". */
function useArrivalText({ parts = [], transfer }: Detail): string {
  const t = useTexts(withdrawTexts)
  const p = useTexts(paymentTexts)
  const back = parts
    .filter(({ state }) => state === 'succeeded')
    .map((part) =>
      t('w_arrived_back', {
        amount: payDisplay(part.payAmount, part.payCurrency),
        method: p(methodTextKey(part.transactionType)),
      }),
    )
  return [...back, ...(transfer ? [t('w_arrived_transfer', { amount: displayCny(transfer.payAmount) })] : [])].join(t('list_comma'))
}

interface StepsProps {
  readonly timeline: Detail['timeline']
  readonly moving: boolean
  readonly why: (reason: string) => string
  /** Text of the last step, if the state alone would be misleading. */
  readonly end: string | undefined
}

function Steps({ timeline, moving, why, end }: StepsProps) {
  const p = useTexts(paymentTexts)
  return (
    <ProgressTimeline
      moving={moving}
      steps={timeline.map(({ at, state, reason }, index) => ({
        key: `${index}`,
        at,
        text: (index === timeline.length - 1 ? end : undefined) ?? p(WITHDRAWAL_STATE_TEXT[state]),
        ...(reason && state !== 'cancelled' ? { note: why(reason) } : {}),
      }))}
    />
  )
}

function Actions({ detail, failed }: { readonly detail: Detail; readonly failed: boolean }) {
  const { withdrawalNo, cancellable } = detail
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const cache = useQueryClient()
  const [cancelling, setCancelling] = useState(false)
  const cancel = async () => {
    const body = t('withdraw_cancel_about', { amount: displayUsd(computeReturned(detail)) })
    if (!(await confirm({ title: t('withdraw_cancel_title'), body, action: t('withdraw_cancel'), cancel: t('withdraw_keep'), danger: true }))) return
    setCancelling(true)
    try {
      await withdrawApi.cancelWithdrawal({ withdrawalNo })
      toast.success(t('withdraw_cancelled'))
    } catch (error) {
      if (isApiError(error)) toast.error(error.message)
    } finally {
      setCancelling(false)
      void cache.invalidateQueries({ queryKey: [...WITHDRAWALS] })
      void cache.invalidateQueries({ queryKey: ['wallet'] })
    }
  }
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-3 empty:hidden mobile:[&>*]:flex-[1_1_140px]">
        {cancellable ? (
          <Button variant="secondary" loading={cancelling} onClick={() => void cancel()}>
            {t('withdraw_cancel')}
          </Button>
        ) : null}
        {failed ? <Button onClick={() => openDialog('withdraw')}>{t('withdraw_again')}</Button> : null}
      </div>
      <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-fg-3">
        {pages('trouble')}
        <button type="button" className="link mobile:min-h-11" onClick={() => openSupport({ topic: 'recharge', orderNo: withdrawalNo })}>
          {pages('support')}
        </button>
      </p>
    </>
  )
}

function Frame({ amount, badge, children }: { readonly amount?: string; readonly badge?: ReactNode; readonly children: ReactNode }) {
  const t = useTexts(withdrawTexts)
  return (
    <div className="max-w-[1040px]">
      <Link to="/withdrawals" className="link text-13 mobile:hidden">
        {t('all_withdrawals')}
      </Link>
      <div className="mt-1 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 mobile:mb-5">
        <h1 className="text-20 font-bold">
          {t('withdraw')} {amount ? <MoneyText value={amount} figure={FIGURES['withdrawal.amount']} /> : null}
        </h1>
        {badge}
      </div>
      {children}
    </div>
  )
}
