import { closeDialog, openDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { displayUsd } from '#platform/web/money.tsx'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Button, getButtonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { WithdrawalRow } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { WITHDRAWAL_STATE_TEXT } from '../../labels/texts-withdrawal-states.ts'
import { PaymentsNotice } from '../notice.tsx'
import { DoneHeading } from '../pay/done-heading.tsx'
import { useBalanceAfter, useWithdrawQuote } from './use-withdraw.ts'
import type { WithdrawQuote } from './use-withdraw.ts'
import { WaysOut } from './ways-out.tsx'
import { WithdrawForm } from './withdraw-form.tsx'
import { useQuery } from '@tanstack/react-query'
import { parseUsd } from '#platform/shared/money.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { createApi } from '#platform/web/calls/api.ts'
import { fissionContract } from '#features/invitations/contract-fission.ts'
import { paymentErrors } from '../../errors.ts'

/** API of withdrawable invitation rewards; used only by the withdrawal dialog, so that no other chunk carries it. */
const rewardsApi = createApi({ getInvitationReward: fissionContract.getInvitationReward }, { alone: true, errors: paymentErrors, texts: paymentTexts })

/** Chooses between balance and rewards for users with both. Rewards are withdrawn on their own page, all at once. */
function SourceChoice({ children, onLeave }: { readonly children: ReactNode; readonly onLeave: () => void }) {
  const t = useTexts(withdrawTexts)
  const [from, setFrom] = useState<'balance' | 'rewards'>('balance')
  const { data } = useQuery({
    queryKey: ['payments', 'withdrawals', 'rewards'],
    queryFn: ({ signal }) => rewardsApi.getInvitationReward({}, { signal }),
    staleTime: 0,
  })
  const rewards = data && parseUsd(data.available) > 0n ? data : undefined
  const missing = rewards !== undefined && parseUsd(rewards.withdrawMissing) > 0n
  return (
    <div className="grid gap-5">
      {rewards ? (
        <Segmented
          label={t('withdraw_from')}
          items={[
            { value: 'balance', label: t('withdraw_from_balance') },
            { value: 'rewards', label: `${t('withdraw_from_rewards')} ${displayUsd(rewards.available)}` },
          ]}
          value={from}
          onChange={setFrom}
        />
      ) : null}
      {from === 'balance' || !rewards ? (
        children
      ) : (
        <div className="grid gap-4">
          <div>
            <p className="text-13 text-fg-2">{t('withdraw_can')}</p>
            <p className="num text-28 font-semibold">{displayUsd(rewards.available)}</p>
            <p className="mt-1 text-14 text-fg-2">
              {missing
                ? t('withdraw_rewards_missing', { min: displayUsd(rewards.withdrawMin), missing: displayUsd(rewards.withdrawMissing) })
                : t('withdraw_rewards_about', { min: displayUsd(rewards.withdrawMin) })}
            </p>
          </div>
          <Link to="/invite-record" {...(missing ? {} : { search: { withdraw: '1' } })} onClick={onLeave} className={getButtonClass('primary', 'lg', 'w-full')}>
            {t(missing ? 'withdraw_rewards_see' : 'withdraw_rewards_go')}
          </Link>
        </div>
      )}
    </div>
  )
}

const ERROR_TEXT = {
  MONEY_OUT_FROZEN: 'error_MONEY_OUT_FROZEN',
  WITHDRAW_LIMIT: 'error_WITHDRAW_LIMIT',
  WITHDRAW_CHANNEL_LIMIT: 'error_WITHDRAW_CHANNEL_LIMIT',
  WITHDRAW_PAUSED: 'error_WITHDRAW_PAUSED',
  WITHDRAW_CLOSED: 'error_WITHDRAW_CLOSED',
  WITHDRAW_NOT_CREDITED: 'error_WITHDRAW_NOT_CREDITED',
  WITHDRAW_OPEN: 'error_WITHDRAW_OPEN',
} as const

const close = () => closeDialog('withdraw')

/** `openDialog('withdraw')`: amount, destination, required data; then the withdrawal number. Closing it discards the input. */
export function BalanceWithdrawDialog() {
  const t = useTexts(withdrawTexts)
  const asked = useDialog('withdraw')
  return (
    <QueryProvider>
      <Dialog open={asked !== undefined} onClose={close} title={t('withdraw')} size="md">
        {asked ? <Steps /> : null}
      </Dialog>
    </QueryProvider>
  )
}

function Steps() {
  const [made, setMade] = useState<{ readonly row: WithdrawalRow; readonly plan: WithdrawQuote | undefined }>()
  const quote = useWithdrawQuote(made === undefined, undefined)
  if (made) return <Done {...made} />
  if (quote.isError && !quote.data) return <ErrorState error={quote.error} onRetry={() => void quote.refetch()} />
  if (!quote.data)
    return (
      <div className="grid gap-5" aria-busy="true">
        <Skeleton className="h-16" />
        <Skeleton className="h-11" />
        <Skeleton className="h-40" />
      </div>
    )
  return (
    <SourceChoice onLeave={close}>
      {quote.data.blocked === null ? <WithdrawForm quote={quote.data} onMade={(row, plan) => setMade({ row, plan })} /> : <Blocked quote={quote.data} />}
    </SourceChoice>
  )
}

/** Reason that withdrawals are blocked, when they reopen, and how to change that. */
function Blocked({ quote }: { readonly quote: WithdrawQuote }) {
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const { blocked, open, keep, min, dayLeft, resumes, owed } = quote
  if (blocked === 'WITHDRAW_OPEN' && open)
    return (
      <div className="grid gap-4">
        <PaymentsNotice tone="info" title={t('withdraw_under_way')}>
          {p(WITHDRAWAL_STATE_TEXT[open.state])}
        </PaymentsNotice>
        <Receipt look="flat" label={pages('slip')}>
          <WaysOut {...open} />
        </Receipt>
        <ViewLink withdrawalNo={open.withdrawalNo} />
      </div>
    )
  if (blocked === 'WITHDRAW_TOO_SMALL') return <EmptyState title={t('withdraw_none')} body={t('withdraw_none_about', { keep: displayUsd(keep) })} />
  if (blocked === 'DEBT_FIRST')
    return (
      <div className="grid gap-4">
        <PaymentsNotice tone="warning" title={t('withdraw_owed', { owed: displayUsd(owed) })}>
          {t('withdraw_owed_about')}
        </PaymentsNotice>
        <Button
          size="lg"
          block
          onClick={() => {
            close()
            openDialog('recharge')
          }}
        >
          {t('withdraw_owed_pay')}
        </Button>
      </div>
    )
  return <PaymentsNotice tone="warning">{p(ERROR_TEXT[blocked!], { left: dayLeft, resumes: resumes ?? '', min, max: '' })}</PaymentsNotice>
}

/** Confirmation of a withdrawal. Its ways are known once it leaves; until then the latest plan is shown. */
function Done({ row, plan }: { readonly row: WithdrawalRow; readonly plan: WithdrawQuote | undefined }) {
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  useBalanceAfter(row.withdrawalNo)
  return (
    <DoneHeading title={t('withdraw_done')}>
      <p className="text-14 text-fg-2">{t('withdraw_done_about', { amount: displayUsd(row.amount), when: t('arrives_in') })}</p>
      <Receipt look="inline" label={pages('slip')} className="mt-1 w-full text-left">
        <WaysOut {...row} plan={plan && { parts: plan.parts ?? [], transfer: plan.transfer ?? null }} />
      </Receipt>
      <p className="num text-12 text-fg-3">{row.withdrawalNo}</p>
      <ViewLink withdrawalNo={row.withdrawalNo} />
    </DoneHeading>
  )
}

function ViewLink({ withdrawalNo }: { readonly withdrawalNo: string }) {
  const t = useTexts(withdrawTexts)
  return (
    <Link to="/withdrawals/$withdrawalNo" params={{ withdrawalNo }} onClick={close} className={getButtonClass('primary', 'lg', 'w-full')}>
      {t('withdraw_see')}
    </Link>
  )
}
