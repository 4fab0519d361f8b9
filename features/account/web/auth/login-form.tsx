import { withCaptcha } from '#platform/web/state/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { accountTexts } from '../../texts.ts'
import { accountApi } from '../account-api.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { ticketOf } from '../fields/code-waits.ts'
import { FormError } from '../fields/form-error.tsx'
import { contactOf, IdentityField, identityRules, shownContact } from '../fields/identity-field.tsx'
import { codeRule, passwordRule } from '../fields/rules.ts'
import { SubmitButton } from '../fields/submit-button.tsx'
import { useFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { setDraft, setDraftCode, useDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { sendCode } from './send-code.ts'
import { useSignedInGo } from './use-signed-in.ts'

/** Mobile or e-mail, with code or password. Its parent draws it anew when one of the two changes. */
export function LoginForm({ onMode, redirect }: FormProps) {
  const t = useTexts(accountTexts)
  const { way, method, phone, email, password, codes } = useDraft()
  const go = useSignedInGo(redirect)
  const submit = useSubmit()
  const fields = useFields(
    { phone, email, password, verifyCode: codes['login'] ?? '' },
    {
      ...identityRules(way),
      ...(method === 'code'
        ? { verifyCode: ({ verifyCode }: { verifyCode: string }) => codeRule(verifyCode) }
        : { password: ({ password }: { password: string }) => passwordRule(password) }),
    },
    ({ verifyCode, ...kept }) => {
      setDraft(kept)
      setDraftCode('login', verifyCode)
    },
  )
  const onSubmit = fields.submit(async (values) => {
    const contact = contactOf(way, values)
    const refused = await submit.run(async () => {
      const reply =
        method === 'code'
          ? await accountApi.codeLogin({ ...contact, verifyCode: values.verifyCode, codeTicket: ticketOf(`login ${shownContact(way, values)}`) })
          : await withCaptcha('login', (captchaVerifyParam) => accountApi.passwordLogin({ ...contact, password: values.password, captchaVerifyParam }))
      if (reply) go(reply, 'auth_done_login')
    })
    if (refused?.errorName === 'NOT_REGISTERED') {
      // the code is right and serves registering as well: nobody waits for a second one
      setDraftCode('register', values.verifyCode)
      onMode('register')
    } else if (refused?.errorName === 'CODE_WRONG') {
      fields.set({ verifyCode: '' })
      fields.refuse('verifyCode', refused.message)
      submit.clear()
    }
  })
  const locked = submit.failure && (submit.failure as { errorName?: string }).errorName === 'LOGIN_LOCKED'
  const { value: code, onChange: onCode, error: codeError } = fields.bind('verifyCode')
  const secret = fields.bind('password')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <IdentityField way={way} fields={fields} isUsername={method === 'password'} />
      {method === 'code' ? (
        <CodeRow
          purpose="login"
          target={shownContact(way, fields.values)}
          by={way === 'mobile' ? 'sms' : 'mail'}
          value={code}
          onChange={onCode}
          onComplete={() => onSubmit()}
          error={codeError}
          check={() => fields.check(way === 'mobile' ? 'phone' : 'email')}
          send={() => sendCode('login', way, fields.values)}
        />
      ) : (
        <PasswordField
          label={t('auth_password')}
          name="password"
          autoComplete="current-password"
          value={secret.value}
          onChange={(event) => secret.onChange(event.target.value)}
          error={secret.error}
          aside={
            <button
              type="button"
              onClick={() => onMode('reset')}
              className="rounded-tag text-14 text-brand-text underline-offset-4 hover:underline mobile:-my-2.5 mobile:min-h-11"
            >
              {t('auth_forgot')}
            </button>
          }
        />
      )}
      <FormError
        message={submit.failure?.message}
        way={
          locked ? (
            <button type="button" onClick={() => setDraft({ method: 'code' })} className="link">
              {t('auth_use_code')}
            </button>
          ) : null
        }
      />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t('auth_submit_login')}
      </SubmitButton>
    </form>
  )
}
