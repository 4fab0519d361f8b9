import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { PASSWORD_MIN } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { IdentityField, formatContact, toContactInput, buildIdentityRules } from '../fields/identity-field.tsx'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import type { FormProps } from './parts.ts'
import { requestAuthCode } from './send-code.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { userAccountApi } from '../account-api.ts'
import { findCodeTicket } from '../fields/code-waits.ts'
import { checkCode, checkConfirmation, checkNewPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { readStored } from '#platform/web/state/storage.ts'
import { setDraft, setDraftCode, useAuthDraft } from './draft.ts'
import { useSignInOptions } from '../sign-in-options.ts'
import { useSignedInGo } from './use-signed-in.ts'

/**
 * Fields and submit handler of the registration. By mobile a code is enough, and a password can be set later; by e-mail both are required.
 */
function useRegister({ redirect }: Pick<FormProps, 'redirect'>) {
  const draft = useAuthDraft()
  const { way, codes } = draft
  const go = useSignedInGo(redirect)
  const submit = useSubmit()
  const withPassword = way === 'email'
  const tickedAtFirst = useSignInOptions()?.agreementTicked ?? false
  const fields = useAccountFields(
    {
      phone: draft.phone,
      email: draft.email,
      verifyCode: codes['register'] ?? '',
      newPassword: draft.newPassword,
      confirm: draft.confirm,
      // An invite link opened after the dialog also counts.
      inviteCode: draft.inviteCode || (readStored('invite') ?? ''),
      agreed: draft.agreed,
    },
    {
      ...buildIdentityRules(way),
      verifyCode: ({ verifyCode }) => checkCode(verifyCode),
      newPassword: ({ newPassword }) => (withPassword ? checkNewPassword(newPassword) : undefined),
      confirm: ({ newPassword, confirm }) => (withPassword ? checkConfirmation(newPassword, confirm) : undefined),
      agreed: ({ agreed }) => ((agreed ?? tickedAtFirst) ? undefined : 'auth_agree_required'),
    },
    ({ verifyCode, ...rest }) => {
      setDraft(rest)
      setDraftCode('register', verifyCode)
    },
  )
  const onSubmit = fields.submit(async (values) => {
    const refused = await submit.run(async () => {
      const password = withPassword ? values.newPassword : undefined
      const shown = formatContact(way, values)
      // A sign-in code is also valid here if the mobile has no account.
      const codeTicket = findCodeTicket(`register ${shown}`, `login ${shown}`)
      const wish = { ...toContactInput(way, values), verifyCode: values.verifyCode, codeTicket, password, inviteCode: values.inviteCode }
      await go(await userAccountApi.register(wish), 'auth_done_register')
    })
    if (refused?.errorName === 'CODE_WRONG') fields.set({ verifyCode: '' })
    const field = ({ CODE_WRONG: 'verifyCode', PASSWORD_WEAK: 'newPassword' } as const)[refused?.errorName ?? '']
    if (!field || !refused) return
    fields.refuse(field, refused.message)
    submit.clear()
  })
  const taken = ['EMAIL_TAKEN', 'MOBILE_TAKEN'].includes((submit.failure as { errorName?: string } | undefined)?.errorName ?? '')
  /** The code is the last field: a complete code submits the form if all other fields are filled. */
  const passwordsStand = () => !checkNewPassword(fields.values.newPassword) && !checkConfirmation(fields.values.newPassword, fields.values.confirm)
  return { draft, way, withPassword, tickedAtFirst, fields, submit, onSubmit, taken, passwordsStand }
}

/** Consent to the agreement, the terms and the privacy policy; each opens beside the form, which stays open. */
function LegalText() {
  const t = useTexts(accountTexts)
  const link = (to: string, text: string) => (
    <a href={to} target="_blank" rel="noopener" className="link">
      {text}
    </a>
  )
  return (
    <>
      {t('auth_agree')}{' '}
      <button type="button" className="link" onClick={() => openDialog('protocol')}>
        {t('auth_protocol')}
      </button>
      {t('auth_comma')}
      {link('/terms', t('auth_terms'))} {t('auth_and')} {link('/privacy', t('auth_privacy'))}
    </>
  )
}

export function RegisterForm({ onMode, redirect }: FormProps) {
  const t = useTexts(accountTexts)
  const { way, withPassword, tickedAtFirst, fields, submit, onSubmit, taken, passwordsStand } = useRegister({ redirect })
  const code = fields.bind('verifyCode')
  const password = fields.bind('newPassword')
  const confirm = fields.bind('confirm')
  const agreed = fields.bind('agreed')
  const invite = fields.bind('inviteCode')
  // prefilled by an invite link; otherwise the user opens the field to enter a code
  const [asksInvite, setAsksInvite] = useState(invite.value !== '')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <IdentityField way={way} fields={fields} isUsername />
      {withPassword ? (
        <NewPasswordFields
          label={t('auth_password')}
          min={PASSWORD_MIN}
          value={password.value}
          onValue={password.onChange}
          error={password.error}
          confirm={confirm.value}
          onConfirm={confirm.onChange}
          confirmError={confirm.error}
        />
      ) : null}
      <CodeRow
        purpose="register"
        target={formatContact(way, fields.values)}
        by={way === 'mobile' ? 'sms' : 'mail'}
        {...code}
        onComplete={() => (withPassword && !passwordsStand() ? undefined : onSubmit())}
        check={() => fields.check(way === 'mobile' ? 'phone' : 'email')}
        send={() => requestAuthCode('register', way, fields.values)}
      />
      {asksInvite ? (
        <TextField
          label={t('auth_invite')}
          autoComplete="off"
          maxLength={64}
          value={invite.value}
          autoFocus={invite.value === ''}
          onChange={(event) => invite.onChange(event.target.value)}
        />
      ) : (
        <button type="button" className="link justify-self-start text-13 mobile:min-h-11" onClick={() => setAsksInvite(true)}>
          {t('auth_invite_have')}
        </button>
      )}
      <CheckboxField
        label={<LegalText />}
        checked={agreed.value ?? tickedAtFirst}
        onChange={(event) => agreed.onChange(event.target.checked)}
        error={agreed.error}
      />
      <FormError
        message={submit.failure?.message}
        way={
          taken ? (
            <button type="button" onClick={() => onMode('login')} className="link">
              {t('auth_to_login')}
            </button>
          ) : null
        }
      />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t('auth_submit_register')}
      </SubmitButton>
    </form>
  )
}
