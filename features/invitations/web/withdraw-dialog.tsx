import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { alipayIdentity, alipayRealName, identityNumberSchema } from '#features/payments/contract-withdraw.ts'
import type { WithdrawalRow } from '#features/payments/contract-withdraw.ts'
import { invitationTexts } from '../texts.ts'
import { invitationsApi } from './invitations-api.ts'

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

/** All that is available, to the own name at Alipay. Kept nowhere in the browser. */
export function RewardWithdrawDialog({ open, amount, onClose, onMade }: WithdrawDialogProps) {
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
