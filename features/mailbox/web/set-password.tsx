import { useState } from 'react'
import type { FormEvent } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { formatClock, useCountdown } from '#ui/time/use-countdown.ts'
import type { Mailbox } from '../contract.ts'
import { mailboxTexts } from '../texts.ts'
import { MAILBOX_PASSWORD_LENGTH } from '../words.ts'
import { mailboxApi, refreshMailboxes, cacheMailbox } from './use-mailbox.ts'

/** A quarter of an hour to choose a password, by the server's clock. */
export function SetMailboxPassword({ box, minutes }: { readonly box: Mailbox; readonly minutes: number }) {
  const t = useTexts(mailboxTexts)
  const { run, isRunning, failure } = useSubmit()
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [tried, setTried] = useState(false)
  const left = useCountdown(Date.parse(box.deadlineTime ?? ''), refreshMailboxes)
  const weak =
    password.length < MAILBOX_PASSWORD_LENGTH.min ||
    password.length > MAILBOX_PASSWORD_LENGTH.max ||
    /^\d+$/.test(password) ||
    password.toLowerCase().includes(box.prefix)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (weak || password !== confirm) return
    void run(async () => {
      cacheMailbox(await mailboxApi.emailPassword({ id: box.id, password, confirm }))
      refreshMailboxes()
    }).catch(() => undefined)
  }
  const share = Math.min(1, left / (minutes * 60))
  return (
    <form onSubmit={submit} className="card grid max-w-[460px] gap-4 p-6 mobile:p-5" noValidate>
      <div>
        <h2 className="text-16 font-bold">{t('setTitle')}</h2>
        <p className="mt-1 text-13 text-fg-2">{t('setAbout')}</p>
      </div>
      <div>
        <p className="flex items-end justify-between text-13">
          <span className="text-fg-2">{t('setLeft')}</span>
          <span className="num text-20 font-medium" role="timer" aria-live="off">
            {formatClock(left)}
          </span>
        </p>
        <span className="mt-1 block h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
          <span className={`block h-full rounded-full ${share < 0.1 ? 'bg-warning' : 'bg-brand'}`} style={{ width: `${share * 100}%` }} />
        </span>
      </div>
      <input type="text" name="username" autoComplete="username" value={box.address} readOnly hidden />
      <PasswordField
        label={t('boxPassword')}
        hint={t('boxPasswordHint')}
        error={tried && weak ? t('boxPasswordHint') : undefined}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        autoComplete="new-password"
      />
      <PasswordField
        label={t('boxConfirm')}
        error={tried && confirm !== password ? t('boxConfirmWrong') : undefined}
        value={confirm}
        onChange={(event) => setConfirm(event.target.value)}
        autoComplete="new-password"
      />
      {failure ? (
        <p role="alert" className="text-14 text-danger">
          {failure.message}
        </p>
      ) : null}
      <Button type="submit" size="lg" block loading={isRunning}>
        {t('setDo')}
      </Button>
    </form>
  )
}
