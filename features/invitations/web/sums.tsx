import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { subtractNano, parseUsd, computeShareMillionths, formatUsd } from '#platform/shared/money.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { InvitationInfo } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { fissionApi } from './invitations-api.ts'
import { useRefreshMoney } from './use-invitations.ts'
import { RewardWithdrawDialog } from './withdraw-dialog.tsx'

/** Three figures, each with what it is made of. */
export function RewardSums({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const { rules } = info
  return (
    <div className="grid gap-4 min-[900px]:grid-cols-[1.2fr_1fr_1fr]">
      <Available info={info} />
      <Figure label={t('pending_sum')} value={displayUsd(info.pendingAmount)}>
        {info.pendingNumber && info.firstAvailableTime ? (
          <p>{t('pending_first', { count: String(info.pendingNumber), day: displayTime(info.firstAvailableTime, 'day').slice(5) })}</p>
        ) : null}
        {info.heldNumber ? <p>{t('pending_held', { count: String(info.heldNumber), reviewDays: String(rules.reviewDays) })}</p> : null}
        <p>{t('pending_about', { days: String(rules.holdDays) })}</p>
      </Figure>
      <Figure label={t('people')} value={String(info.totalNumber)}>
        <p>{t('people_parts', { paid: String(info.paidNumber), back: String(info.backNumber), held: String(info.heldNumber) })}</p>
        <p>{t('people_sum', { count: String(info.paidNumber - info.backNumber), sum: displayUsd(info.rewardAmount) })}</p>
        {rules.second ? <p>{t('people_second', { count: String(info.secondNumber), sum: displayUsd(info.secondReward) })}</p> : null}
      </Figure>
    </div>
  )
}

function Figure({ label, value, children }: { readonly label: string; readonly value: string; readonly children: ReactNode }) {
  return (
    <section aria-label={label} className="card p-5">
      <p className="text-13 text-fg-2">{label}</p>
      <p className="num mt-0.5 text-28 font-semibold">{value}</p>
      <div className="mt-1.5 grid gap-0.5 text-13 text-fg-2">{children}</div>
    </section>
  )
}

function Available({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const changed = useRefreshMoney()
  const [busy, setBusy] = useState(false)
  const asked = (useSearch({ strict: false }) as { withdraw?: string }).withdraw !== undefined
  const [withdrawing, setWithdrawing] = useState(asked && parseUsd(info.withdrawMissing) === 0n)
  const { withdrawableAmount: amount, withdrawMissing: missing, rules } = info
  const nano = parseUsd(amount)
  const share = nano > 0n ? Math.min(1, computeShareMillionths(nano, parseUsd(rules.withdrawMin)) / 1_000_000) : 0
  const canWithdraw = parseUsd(missing) === 0n
  const move = async () => {
    const body = t('move_sure', { amount: displayUsd(amount) })
    if (!(await confirm({ title: t('move_title'), body, action: t('move_yes'), cancel: t('cancel') }))) return
    setBusy(true)
    try {
      const moved = await fissionApi.invitationRewardWithdraw({ amount })
      toast.success(t('moved', { amount: displayUsd(moved.amount) }))
    } catch (error) {
      toast.error(isApiError(error) ? error.message : t('failed'))
    } finally {
      setBusy(false)
      changed()
    }
  }
  return (
    <section aria-label={t('rewardSum')} className="card p-5">
      <p className="text-13 text-fg-2">{t('rewardSum')}</p>
      <p className="num mt-0.5 text-28 font-semibold">{displayUsd(amount)}</p>
      <div className="mt-2 h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <div className="h-full rounded-full bg-brand" style={{ width: `${share * 100}%` }} />
      </div>
      <p id="withdraw-why" className="mt-2 text-13 text-fg-2">
        {nano < 0n
          ? t('negative', { amount: displayUsd(formatUsd(subtractNano(0n, nano))) })
          : canWithdraw
            ? t('withdraw_can')
            : t('withdraw_missing', { min: displayUsd(rules.withdrawMin), missing: displayUsd(missing) })}
      </p>
      <div className="mt-3.5 flex flex-wrap gap-2.5">
        <Button variant="secondary" loading={busy} disabled={nano <= 0n} onClick={() => void move()} title={t('move_about')}>
          {t('move')}
        </Button>
        <Button variant="secondary" disabled={!canWithdraw} aria-describedby="withdraw-why" onClick={() => setWithdrawing(true)}>
          {t('withdraw')}
        </Button>
      </div>
      <RewardWithdrawDialog open={withdrawing} amount={amount} onClose={() => setWithdrawing(false)} onMade={changed} />
    </section>
  )
}
