import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { toast } from '#ui/layers/toast.ts'
import { accountTexts } from '../../texts.ts'
import { userAccountApi } from '../account-api.ts'
import { findCodeTicket } from '../fields/code-waits.ts'
import { toContactInput, buildIdentityRules, formatContact } from '../fields/identity-field.tsx'
import { checkCode, checkConfirmation, checkNewPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { setDraft, setDraftCode, useAuthDraft } from './draft.ts'
import type { FormProps } from './parts.ts'

type Passwords = { readonly newPassword: string; readonly confirm: string }
const passwordRules = {
  newPassword: ({ newPassword }: Passwords) => checkNewPassword(newPassword),
  confirm: ({ newPassword, confirm }: Passwords) => checkConfirmation(newPassword, confirm),
}

/** The fields of a new password, its two steps, and its sending. */
export function useReset({ onMode }: Pick<FormProps, 'onMode'>) {
  const { way, phone, email, newPassword, confirm, codes } = useAuthDraft()
  const t = useTexts(accountTexts)
  const [step, setStep] = useState<'identity' | 'password'>('identity')
  const submit = useSubmit()
  const fields = useAccountFields(
    { phone, email, verifyCode: codes['reset'] ?? '', newPassword, confirm },
    {
      ...buildIdentityRules(way),
      verifyCode: ({ verifyCode }) => checkCode(verifyCode),
      ...(step === 'password' ? passwordRules : {}),
    },
    ({ verifyCode, ...kept }) => {
      setDraft(kept)
      setDraftCode('reset', verifyCode)
    },
  )
  const target = formatContact(way, fields.values)
  const onSubmit = fields.submit(async (values) => {
    if (step === 'identity') return setStep('password')
    const refused = await submit.run(async () => {
      await userAccountApi.resetPassword({
        ...toContactInput(way, values),
        password: values.newPassword,
        verifyCode: values.verifyCode,
        codeTicket: findCodeTicket(`reset ${target}`),
      })
      toast.success(t('auth_done_reset'))
      setDraft({ newPassword: '', confirm: '', method: 'password', codes: {} })
      onMode('login')
    })
    if (refused?.errorName === 'CODE_WRONG') {
      setStep('identity')
      fields.set({ verifyCode: '' })
      fields.refuse('verifyCode', refused.message)
      submit.clear()
    } else if (refused?.errorName === 'PASSWORD_WEAK') {
      fields.refuse('newPassword', refused.message)
      submit.clear()
    }
  })
  return { way, step, back: () => setStep('identity'), target, fields, submit, onSubmit }
}
