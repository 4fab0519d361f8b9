import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { invitationTexts } from '../texts.ts'
import { fissionApi } from './invitations-api.ts'
import { useRefreshMoney } from './use-invitations.ts'

/** Form for users without an inviter: they can enter a code for a day and before the first payment. */
export function EnterCode({ until }: { readonly until: string }) {
  const t = useTexts(invitationTexts)
  const changed = useRefreshMoney()
  const [inviteCode, setInviteCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const give = async () => {
    setBusy(true)
    try {
      await fissionApi.updateInvitedCode({ inviteCode: inviteCode.trim() })
      toast.success(t('give_done'))
      changed()
    } catch (failed) {
      setError(isApiError(failed) ? failed.message : t('failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="card flex items-start gap-3 p-5 mobile:flex-col mobile:items-stretch"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && inviteCode.trim()) void give()
      }}
    >
      <TextField
        fieldClassName="flex-1"
        label={t('give_label')}
        hint={t('give_until', { time: displayTime(until) })}
        error={error}
        value={inviteCode}
        maxLength={20}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setError(undefined)
          setInviteCode(event.target.value)
        }}
      />
      <Button type="submit" variant="secondary" loading={busy} disabled={!inviteCode.trim()} className="mt-7 mobile:mt-0">
        {t('give')}
      </Button>
    </form>
  )
}
