import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { PASSWORD_MIN } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { accountApi } from '../account-api.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { ticketOf } from '../fields/code-waits.ts'
import { FormError } from '../fields/form-error.tsx'
import { contactOf, IdentityField, identityRules, shownContact } from '../fields/identity-field.tsx'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import { codeRule, confirmRule, newPasswordRule } from '../fields/rules.ts'
import { SubmitButton } from '../fields/submit-button.tsx'
import { useFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { setDraft, setDraftCode, useDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { sendCode } from './send-code.ts'
import { WayTabs } from './way-tabs.tsx'

type Passwords = { readonly newPassword: string; readonly confirm: string }
const passwordRules = {
  newPassword: ({ newPassword }: Passwords) => newPasswordRule(newPassword),
  confirm: ({ newPassword, confirm }: Passwords) => confirmRule(newPassword, confirm),
}

/** Two steps: whose password it is, proven by a code; then the new one (specification 1, section 2). */
export function ResetForm({ onMode }: FormProps) {
  const t = useTexts(accountTexts)
  const { way, phone, email, newPassword, confirm, codes } = useDraft()
  const [step, setStep] = useState<'identity' | 'password'>('identity')
  const submit = useSubmit()
  const fields = useFields(
    { phone, email, verifyCode: codes['reset'] ?? '', newPassword, confirm },
    {
      ...identityRules(way),
      verifyCode: ({ verifyCode }) => codeRule(verifyCode),
      ...(step === 'password' ? passwordRules : {}),
    },
    ({ verifyCode, ...kept }) => {
      setDraft(kept)
      setDraftCode('reset', verifyCode)
    },
  )
  const target = shownContact(way, fields.values)
  const onSubmit = fields.submit(async (values) => {
    if (step === 'identity') return setStep('password')
    const refused = await submit.run(async () => {
      await accountApi.resetPassword({
        ...contactOf(way, values),
        password: values.newPassword,
        verifyCode: values.verifyCode,
        codeTicket: ticketOf(`reset ${target}`),
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
  const code = fields.bind('verifyCode')
  const password = fields.bind('newPassword')
  const again = fields.bind('confirm')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      {step === 'identity' ? (
        <>
          <p className="text-14 text-fg-2">{t('reset_lead')}</p>
          <WayTabs value={way} onChange={(next) => setDraft({ way: next })} />
          <IdentityField way={way} fields={fields} />
          <CodeRow
            purpose="reset"
            target={target}
            by={way === 'mobile' ? 'sms' : 'mail'}
            {...code}
            check={() => fields.check(way === 'mobile' ? 'phone' : 'email')}
            send={() => sendCode('reset', way, fields.values)}
          />
          <Button type="submit" size="lg" block>
            {t('auth_next')}
          </Button>
        </>
      ) : (
        <>
          <div className="flex items-baseline justify-between gap-3 rounded-control bg-sunken px-3 py-2.5 text-14">
            <span className="num min-w-0 truncate">{target}</span>
            <button type="button" className="link shrink-0 mobile:-my-2.5 mobile:min-h-11" onClick={() => setStep('identity')}>
              {t('auth_back')}
            </button>
          </div>
          <NewPasswordFields
            label={t('auth_new_password')}
            username={target}
            min={PASSWORD_MIN}
            value={password.value}
            onValue={password.onChange}
            error={password.error}
            confirm={again.value}
            onConfirm={again.onChange}
            confirmError={again.error}
          />
          <FormError message={submit.failure?.message} />
          <SubmitButton loading={submit.isRunning} slow={submit.slow}>
            {t('auth_submit_reset')}
          </SubmitButton>
        </>
      )}
    </form>
  )
}
