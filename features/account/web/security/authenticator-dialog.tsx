import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { CodeField } from '#ui/fields/code-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { QrTile } from '#ui/qr-tile.tsx'
import { securityTexts } from '../../texts-security.ts'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { factorsApi } from './api.ts'

/** Shows the secret as a QR code and as text; it takes effect once the user has entered its first code. */
export function AuthenticatorDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: (codes: readonly string[]) => void }) {
  const t = useTexts(securityTexts)
  const [code, setCode] = useState('')
  const submit = useSubmit()
  const begun = useQuery({
    queryKey: ['authenticator'],
    queryFn: async () => (await withStepUp(() => factorsApi.startAuthenticator({}))) ?? null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const confirm = (typed: string) =>
    submit
      .run(async () => {
        const made = await withStepUp(() => factorsApi.confirmAuthenticator({ code: typed }))
        if (made) onDone(made.recoveryCodes)
      })
      .then((refused) => {
        if (refused) setCode('')
      })
  if (begun.data === null) return null
  return (
    <Dialog open size="sm" onClose={onClose} title={t('fac_authenticator')} description={t('fac_scan')}>
      {begun.isError ? <ErrorState error={begun.error} onRetry={() => void begun.refetch()} /> : null}
      <form
        className="grid justify-items-center gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void confirm(code)
        }}
      >
        <QrTile value={begun.data?.uri} state={begun.data ? 'active' : 'loading'} />
        {begun.data ? (
          <p className="flex max-w-full items-center gap-2">
            <span className="num text-13 break-all text-fg-2 whitespace-normal">{begun.data.secret.replaceAll(/(.{4})/g, '$1 ').trim()}</span>
            <CopyButton text={begun.data.secret} label={t('fac_copy_secret')} iconOnly />
          </p>
        ) : null}
        <CodeField label={t('fac_code')} value={code} onChange={setCode} onComplete={(typed) => void confirm(typed)} />
        <FormError message={submit.failure?.message} />
        <SubmitButton loading={submit.isRunning} slow={submit.slow}>
          {t('fac_confirm')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}

/** Shown once. */
export function RecoveryDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const t = useTexts(securityTexts)
  return (
    <Dialog open size="sm" onClose={onClose} title={t('fac_recovery')} description={t('fac_recovery_lead')}>
      <ol className="num grid grid-cols-2 gap-x-6 gap-y-1 rounded-card bg-sunken p-4 text-14">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-4 flex justify-end gap-2">
        <CopyButton text={codes.join('\n')} size="md" />
        <Button onClick={onClose}>{t('fac_kept')}</Button>
      </div>
    </Dialog>
  )
}
