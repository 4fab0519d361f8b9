import { useSearch, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { subtractNano, parseUsd, computeShareMillionths, formatUsd } from '#platform/shared/money.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { InvitationInfo } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { fissionApi, invitationsApi } from './invitations-api.ts'
import { useRefreshMoney } from './use-invitations.ts'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { TextField } from '#ui/fields/text-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { alipayIdentity, alipayRealName, identityNumberSchema } from '#features/payments/contract-withdraw.ts'
import type { WithdrawalRow } from '#features/payments/contract-withdraw.ts'

interface WithdrawDialogProps {
  readonly open: boolean
  readonly amount: string
  readonly onClose: () => void
  readonly onMade: () => void
}

const FIELDS = [
  { name: 'alipayIdentity', rule: alipayIdentity, label: 'pay_alipay', bad: 'pay_alipay_bad', max: 100 },
  { name: 'alipayRealName', rule: alipayRealName, label: 'pay_name', bad: 'pay_name_bad', max: 50 },
  { name: 'identityNumber', rule: identityNumberSchema, label: 'pay_identity', bad: 'pay_identity_bad', max: 18 },
] as const
const EMPTY_FIELDS = { alipayIdentity: '', alipayRealName: '', identityNumber: '' }

/** Form to withdraw the whole available sum to the user's own name at Alipay. The input is not stored in the browser. */
function RewardWithdrawDialog({ open, amount, onClose, onMade }: WithdrawDialogProps) {
  const t = useTexts(invitationTexts)
  return (
    <Dialog open={open} onClose={onClose} title={t('withdraw_title')} size="md">
      {open ? <Form amount={amount} onClose={onClose} onMade={onMade} /> : null}
    </Dialog>
  )
}

function Form({ amount, onClose, onMade }: Omit<WithdrawDialogProps, 'open'>) {
  const t = useTexts(invitationTexts)
  const [payee, setPayee] = useState(EMPTY_FIELDS)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [made, setMade] = useState<WithdrawalRow>()
  const isGood = FIELDS.every(({ name, rule }) => rule.safeParse(payee[name]).success)
  const send = async () => {
    setError(undefined)
    setBusy(true)
    try {
      const payPassword = await requestPayPassword()
      if (payPassword === undefined) return
      setMade(await invitationsApi.withdrawal({ amount, withdrawType: 2, ...payee, payPassword }))
      onMade()
    } catch (failed) {
      setError(isApiError(failed) ? failed.message : t('failed'))
    } finally {
      setBusy(false)
    }
  }
  if (made)
    return (
      <div className="grid gap-4">
        <AlertBox kind="success">{t('withdraw_done', { amount: displayUsd(made.amount) })}</AlertBox>
        <Link
          to="/withdrawals/$withdrawalNo"
          params={{ withdrawalNo: made.withdrawalNo }}
          onClick={onClose}
          className={getButtonClass('primary', 'lg', 'w-full')}
        >
          {t('withdraw_see')}
        </Link>
      </div>
    )
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (isGood && !busy) void send()
      }}
    >
      <p className="text-14 text-fg-2">{t('withdraw_about', { amount: displayUsd(amount) })}</p>
      {FIELDS.map(({ name, rule, label, bad, max }) => (
        <TextField
          key={name}
          label={t(label)}
          error={tried && !rule.safeParse(payee[name]).success ? t(bad) : undefined}
          value={payee[name]}
          maxLength={max}
          autoComplete="off"
          spellCheck={false}
          disabled={busy}
          onChange={(event) => setPayee({ ...payee, [name]: name === 'identityNumber' ? event.target.value.toUpperCase() : event.target.value })}
        />
      ))}
      {error ? <AlertBox kind="error">{error}</AlertBox> : null}
      <Button type="submit" size="lg" block loading={busy}>
        {t('withdraw_send', { amount: displayUsd(amount) })}
      </Button>
    </form>
  )
}

/** Three figures, each with its parts. */
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
