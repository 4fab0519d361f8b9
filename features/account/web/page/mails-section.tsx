import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { SwitchField } from '#ui/fields/switch-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { MailChoices } from '../../contract-profile.ts'
import { securityTexts } from '../../texts-security.ts'
import { profileApi } from '../security/api.ts'
import { PREFERENCES, usePreferences } from './use-preferences.ts'

const MAILS_TEXT = { loginAlert: 'mails_loginAlert', receipt: 'mails_receipt', balanceAlert: 'mails_balanceAlert', productNews: 'mails_productNews' } as const
const MAILS_NOTE_TEXT = {
  loginAlert: 'mails_loginAlert_note',
  receipt: 'mails_receipt_note',
  balanceAlert: 'mails_balanceAlert_note',
  productNews: 'mails_productNews_note',
} as const

const NAMES = ['loginAlert', 'receipt', 'balanceAlert', 'productNews'] as const

/** Each switch is saved at once; one that cannot be saved goes back. */
export function MailsSection() {
  const t = useTexts(securityTexts)
  const cache = useQueryClient()
  const preferences = usePreferences()
  const [moved, setMoved] = useState<Partial<MailChoices>>({})
  if (preferences.isError && !preferences.data) return <ErrorState error={preferences.error} onRetry={() => void preferences.refetch()} />
  if (!preferences.data) return <SkeletonRows rows={4} />
  const shown = { ...preferences.data.mails, ...moved }
  const move = async (name: keyof MailChoices, isOn: boolean) => {
    setMoved((old) => ({ ...old, [name]: isOn }))
    try {
      const mails = await profileApi.updateMailChoices({ [name]: isOn })
      cache.setQueryData<typeof preferences.data>(PREFERENCES, (old) => old && { ...old, mails })
    } catch (error) {
      toast.error(error instanceof Error ? error.message : String(error))
    } finally {
      setMoved(({ [name]: _, ...rest }) => rest)
    }
  }
  return (
    <>
      <div className="card divide-y divide-dashed divide-line px-5 mobile:px-4">
        {NAMES.map((name) => (
          <SwitchField
            key={name}
            label={t(MAILS_TEXT[name])}
            hint={t(MAILS_NOTE_TEXT[name])}
            checked={shown[name]}
            onChange={(isOn) => void move(name, isOn)}
          />
        ))}
      </div>
      <p className="mt-3 text-13 text-fg-3">{t('mails_always')}</p>
    </>
  )
}
