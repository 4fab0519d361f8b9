import { useState } from 'react'
import type { FormEvent } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import type { Mailbox } from '../contract.ts'
import { mailboxTexts } from '../texts.ts'
import { mailboxApi, cacheMailbox } from './use-mailbox.ts'

/** A session that has not shown the password sees no mail. */
export function MailboxLogin({ box }: { readonly box: Mailbox }) {
  const t = useTexts(mailboxTexts)
  const { run, isRunning, failure } = useSubmit()
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password) void run(async () => cacheMailbox(await mailboxApi.emailLogin({ id: box.id, password }))).catch(() => undefined)
  }
  return (
    <form onSubmit={submit} className="card grid max-w-[460px] gap-4 p-6 mobile:p-5">
      <div>
        <h2 className="text-16 font-bold">{t('loginTitle')}</h2>
        <p className="mt-1 text-13 text-fg-2">{t('loginAbout')}</p>
      </div>
      <input type="text" name="username" autoComplete="username" value={box.address} readOnly hidden />
      <PasswordField
        label={t('boxPassword')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={failure?.message}
        autoComplete="current-password"
      />
      <Button type="submit" size="lg" block loading={isRunning}>
        {t('loginDo')}
      </Button>
    </form>
  )
}
