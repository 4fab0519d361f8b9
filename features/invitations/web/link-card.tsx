import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import type { InvitationInfo } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { normalizeInviteCode } from '../words.ts'
import { invitationsApi } from './invitations-api.ts'
import { useRefreshMoney } from './use-invitations.ts'

/** The link and the code, each with its press; and the one choice of an own code. */
export function LinkCard({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const [choosing, setChoosing] = useState(false)
  return (
    <section aria-label={t('link')} className="card p-5">
      <div className="flex items-center gap-5 mobile:flex-col mobile:items-stretch mobile:gap-4">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
          <div className="min-w-0">
            <p className="text-13 text-fg-2">{t('link')}</p>
            <p className="num text-16 font-semibold [overflow-wrap:anywhere] whitespace-normal">{info.link.replace(/^https?:\/\//, '')}</p>
          </div>
          <CopyButton text={info.link} variant="primary" size="md" word={t('copy_link')} label={t('copy_link')} className="mobile:w-full" />
        </div>
        <div className="flex shrink-0 items-center gap-4 border-l border-line pl-5 mobile:justify-between mobile:border-t mobile:border-l-0 mobile:pt-4 mobile:pl-0">
          <div>
            <p className="text-13 text-fg-2">{t('code')}</p>
            <p className="num text-16 font-semibold">{info.inviteCode}</p>
          </div>
          <CopyButton text={info.inviteCode} size="md" label={t('copy_code')} />
        </div>
      </div>
      {info.ownCode ? null : choosing ? (
        <ChooseCode onDone={() => setChoosing(false)} />
      ) : (
        <button type="button" className="link mt-3 text-13 mobile:min-h-11" onClick={() => setChoosing(true)}>
          {t('choose_code')}
        </button>
      )}
    </section>
  )
}

function ChooseCode({ onDone }: { readonly onDone: () => void }) {
  const t = useTexts(invitationTexts)
  const changed = useRefreshMoney()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isGood = /^[A-Z0-9]{3,10}$/.test(code)
  const save = async () => {
    setBusy(true)
    try {
      await invitationsApi.chooseCode({ code })
      changed()
      onDone()
    } catch (failed) {
      setError(isApiError(failed) ? failed.message : t('failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="mt-4 flex items-start gap-3 border-t border-line pt-4 mobile:flex-col mobile:items-stretch"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isGood) setError(t('choose_rule'))
        else if (!busy) void save()
      }}
    >
      <TextField
        label={t('choose_label')}
        hint={t('choose_rule')}
        error={error}
        value={code}
        maxLength={10}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        onChange={(event) => {
          setError(undefined)
          setCode(normalizeInviteCode(event.target.value))
        }}
      />
      <div className="mt-7 flex gap-2 mobile:mt-0">
        <Button type="submit" loading={busy}>
          {t('choose_save')}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
