import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import type { registrationContract } from '../contract.ts'
import { registrationTexts } from '../texts.ts'
import { refreshRegistrations, registrationApi } from './use-registration.ts'

export type RegistrationCount = ReplyOf<typeof registrationContract.openaiCount>
const MIN_PASSWORD_LENGTH = 12

interface ApplyFormProps {
  readonly count: RegistrationCount
  readonly onDone: () => void
  /** A failed try to repeat: its address stays, its password as long as it is kept. */
  readonly again?: { readonly id: string; readonly account: string; readonly passwordUntil: string | null }
}

/** Address, password twice, and the price on the button. */
export function ApplyForm({ count, onDone, again }: ApplyFormProps) {
  const t = useTexts(registrationTexts)
  const { run, isRunning, failure } = useSubmit()
  const [typed, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [tried, setTried] = useState(false)
  const email = again?.account ?? typed.trim()
  const badMail = !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
  const weak =
    password.length < MIN_PASSWORD_LENGTH || /^\d+$/.test(password) || (!badMail && password.toLowerCase().includes(email.split('@')[0]!.toLowerCase()))
  const [typesPassword, setTypesPassword] = useState(!again?.passwordUntil)
  const closed = count.paused !== null || !count.isOpen
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (badMail || (typesPassword && (weak || password !== confirm)) || closed) return
    void run(async () => {
      const { pay } = await (again
        ? registrationApi.openaiReapply({ id: again.id, ...(typesPassword ? { password, confirm } : {}) })
        : registrationApi.openaiApply({ email, password, confirm }))
      refreshRegistrations()
      onDone()
      if (pay) openDialog('recharge', { ask: pay })
    })
      .then((refused) => refused?.errorName === 'REGISTRATION_PASSWORD_GONE' && setTypesPassword(true))
      .catch(() => undefined)
  }
  return (
    <form onSubmit={submit} className="grid min-w-0 grid-cols-1 gap-5" noValidate>
      {count.paused === null ? null : (
        <AlertBox kind="warning" title={t('regPaused')}>
          {count.paused || t('regPausedAbout')}
        </AlertBox>
      )}
      {count.paused === null && !count.isOpen ? (
        <AlertBox kind="info" title={t('regClosed')}>
          {t('regClosedAbout', { time: displayTime(count.opensTime) })}
        </AlertBox>
      ) : null}
      {again ? null : (
        <TextField
          label={t('regEmail')}
          hint={t('regEmailHint')}
          error={tried && badMail ? t('regEmailWrong') : undefined}
          value={typed}
          onChange={(event) => setEmail(event.target.value)}
          type="email"
          autoComplete="off"
          maxLength={100}
        />
      )}
      {typesPassword ? (
        <Passwords {...{ password, confirm, weak: tried && weak, onPassword: setPassword, onConfirm: setConfirm }} differs={tried && confirm !== password} />
      ) : (
        <ReusedPassword until={again?.passwordUntil ?? ''} onOther={() => setTypesPassword(true)} />
      )}
      {failure ? (
        <p role="alert" className="text-14 text-danger">
          {failure.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" size="lg" block loading={isRunning} disabled={closed}>
          {t('regSubmit', { price: displayUsd(count.price) })}
        </Button>
        <p className="mt-2 text-13 text-fg-2">{t('regNote', { hours: String(count.retryHours) })}</p>
      </div>
    </form>
  )
}

interface PasswordsProps {
  readonly password: string
  readonly confirm: string
  readonly weak: boolean
  readonly differs: boolean
  readonly onPassword: (text: string) => void
  readonly onConfirm: (text: string) => void
}

function Passwords({ password, confirm, weak, differs, onPassword, onConfirm }: PasswordsProps) {
  const t = useTexts(registrationTexts)
  return (
    <>
      <PasswordField
        label={t('regPassword')}
        hint={t('regPasswordHint')}
        error={weak ? t('regPasswordHint') : undefined}
        value={password}
        onChange={(event) => onPassword(event.target.value)}
        autoComplete="new-password"
      />
      <PasswordField
        label={t('regConfirm')}
        error={differs ? t('regConfirmWrong') : undefined}
        value={confirm}
        onChange={(event) => onConfirm(event.target.value)}
        autoComplete="new-password"
      />
    </>
  )
}

/** The password of the failed try is used again, unless the member wants another one. */
function ReusedPassword({ until, onOther }: { readonly until: string; readonly onOther: () => void }) {
  const t = useTexts(registrationTexts)
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-14 text-fg-2">
      {t('regKept', { time: displayTime(until) })}
      <button type="button" className="link mobile:min-h-11" onClick={onOther}>
        {t('regOtherPassword')}
      </button>
    </p>
  )
}
