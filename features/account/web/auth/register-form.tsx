import { useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
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
import { LegalText } from './legal-text.tsx'
import type { FormProps } from './parts.ts'
import { sendCode } from './send-code.ts'
import { useSignInOptions } from './sign-in-options.ts'
import { useSignedInGo } from './use-signed-in.ts'

/** By mobile a code is enough, and a password can be set later; by e-mail both are asked for (specification 1, section 5). */
export function RegisterForm({ onMode, redirect }: FormProps) {
  const t = useTexts(accountTexts)
  const draft = useDraft()
  const { way, codes } = draft
  const go = useSignedInGo(redirect)
  const submit = useSubmit()
  const withPassword = way === 'email'
  const tickedAtFirst = useSignInOptions()?.agreementTicked ?? false
  const fields = useFields(
    {
      phone: draft.phone,
      email: draft.email,
      verifyCode: codes['register'] ?? '',
      newPassword: draft.newPassword,
      confirm: draft.confirm,
      inviteCode: draft.inviteCode,
      agreed: draft.agreed,
    },
    {
      ...identityRules(way),
      verifyCode: ({ verifyCode }) => codeRule(verifyCode),
      newPassword: ({ newPassword }) => (withPassword ? newPasswordRule(newPassword) : undefined),
      confirm: ({ newPassword, confirm }) => (withPassword ? confirmRule(newPassword, confirm) : undefined),
      agreed: ({ agreed }) => ((agreed ?? tickedAtFirst) ? undefined : 'auth_agree_required'),
    },
    ({ verifyCode, ...kept }) => {
      setDraft(kept)
      setDraftCode('register', verifyCode)
    },
  )
  const onSubmit = fields.submit(async (values) => {
    const refused = await submit.run(async () => {
      const password = withPassword ? values.newPassword : undefined
      const shown = shownContact(way, values)
      // A code to sign in with serves here too, when the mobile has no account.
      const codeTicket = ticketOf(`register ${shown}`, `login ${shown}`)
      const wish = { ...contactOf(way, values), verifyCode: values.verifyCode, codeTicket, password, inviteCode: values.inviteCode }
      go(await accountApi.register(wish), 'auth_done_register')
    })
    if (refused?.errorName === 'CODE_WRONG') fields.set({ verifyCode: '' })
    const field = ({ CODE_WRONG: 'verifyCode', PASSWORD_WEAK: 'newPassword' } as const)[refused?.errorName ?? '']
    if (!field || !refused) return
    fields.refuse(field, refused.message)
    submit.clear()
  })
  const taken = ['EMAIL_TAKEN', 'MOBILE_TAKEN'].includes((submit.failure as { errorName?: string } | undefined)?.errorName ?? '')
  /** The last field of the form: a complete code sends it where nothing else is missing. */
  const passwordsStand = () => !newPasswordRule(fields.values.newPassword) && !confirmRule(fields.values.newPassword, fields.values.confirm)
  const code = fields.bind('verifyCode')
  const password = fields.bind('newPassword')
  const confirm = fields.bind('confirm')
  const agreed = fields.bind('agreed')
  const invite = fields.bind('inviteCode')
  const askedInvite = useRef(draft.inviteCode !== '')
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
        target={shownContact(way, fields.values)}
        by={way === 'mobile' ? 'sms' : 'mail'}
        {...code}
        onComplete={() => (withPassword && !passwordsStand() ? undefined : onSubmit())}
        check={() => fields.check(way === 'mobile' ? 'phone' : 'email')}
        send={() => sendCode('register', way, fields.values)}
      />
      {askedInvite.current ? (
        <TextField label={t('auth_invite')} autoComplete="off" maxLength={64} value={invite.value} onChange={(event) => invite.onChange(event.target.value)} />
      ) : null}
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
