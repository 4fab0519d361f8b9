import type { TextKeyOf } from '#platform/shared/texts.ts'
import { useEffect, useRef, useState } from 'react'
import { preloadCaptcha, withCaptcha } from '#platform/web/calls/captcha.ts'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { accountTexts } from '../../texts.ts'
import { useSignInOptions } from '../sign-in-options.ts'
import { setDraft, useAuthDraft, setDraftCode } from './draft.ts'
import type { AuthMode } from './draft.ts'
import { GoogleButton } from './google/google-button.tsx'
import { RegisterForm } from './register-form.tsx'
import { attachDeviceName } from './device-name.ts'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { CodeRow } from '../fields/code-row.tsx'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { IdentityField, formatContact, toContactInput, buildIdentityRules } from '../fields/identity-field.tsx'
import type { ContactWay } from '../fields/identity-field.tsx'
import type { FormProps } from './parts.ts'
import { requestAuthCode } from './send-code.ts'
import { userAccountApi } from '../account-api.ts'
import { findCodeTicket } from '../fields/code-waits.ts'
import { checkCode, checkPassword, checkConfirmation, checkNewPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useSignedInGo } from './use-signed-in.ts'
import { Button } from '#ui/button.tsx'
import { PASSWORD_MIN } from '../../contract.ts'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import { toast } from '#ui/layers/toast.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { readsHan } from '#platform/shared/languages.ts'

const AUTH_WAY_TEXT = { email: 'auth_way_email', mobile: 'auth_way_mobile' } as const satisfies Record<ContactWay, TextKeyOf<typeof accountTexts>>

interface WayTabsProps {
  readonly value: ContactWay
  readonly onChange: (way: ContactWay) => void
}

/** Tabs for mobile and e-mail; the more common one in this language comes first. */
function WayTabs({ value, onChange }: WayTabsProps) {
  const t = useTexts(accountTexts)
  const ways: readonly ContactWay[] = readsHan(useLang()) ? ['mobile', 'email'] : ['email', 'mobile']
  return (
    <Segmented
      label={t('auth_way')}
      value={value}
      onChange={onChange}
      className="flex! [&>button]:flex-1 [&>button]:justify-center [&>button]:py-1.5 [&>button]:text-14"
      items={ways.map((way) => ({ value: way, label: t(AUTH_WAY_TEXT[way]) }))}
    />
  )
}

type Passwords = { readonly newPassword: string; readonly confirm: string }
const passwordRules = {
  newPassword: ({ newPassword }: Passwords) => checkNewPassword(newPassword),
  confirm: ({ newPassword, confirm }: Passwords) => checkConfirmation(newPassword, confirm),
}

/** Fields, two steps and submit handler of a new password. */
function useReset({ onMode }: Pick<FormProps, 'onMode'>) {
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

/** Reset form in two steps: verify the contact by a code, then enter the new password (product.md 1.2). */
function ResetForm({ onMode }: FormProps) {
  const t = useTexts(accountTexts)
  const { way, step, back, target, fields, submit, onSubmit } = useReset({ onMode })
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
            send={() => requestAuthCode('reset', way, fields.values)}
          />
          <Button type="submit" size="lg" block>
            {t('auth_next')}
          </Button>
        </>
      ) : (
        <>
          <div className="flex items-baseline justify-between gap-3 rounded-control bg-sunken px-3 py-2.5 text-14">
            <span className="num min-w-0 truncate">{target}</span>
            <button type="button" className="link shrink-0 mobile:-my-2.5 mobile:min-h-11" onClick={back}>
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

/** Fields and submit handler of the sign-in, with a code or a password. */
function useLogin({ onMode, redirect }: FormProps) {
  const { way, method, phone, email, password, codes } = useAuthDraft()
  const go = useSignedInGo(redirect)
  const submit = useSubmit()
  const fields = useAccountFields(
    { phone, email, password, verifyCode: codes['login'] ?? '' },
    {
      ...buildIdentityRules(way),
      ...(method === 'code'
        ? { verifyCode: ({ verifyCode }: { verifyCode: string }) => checkCode(verifyCode) }
        : { password: ({ password }: { password: string }) => checkPassword(password) }),
    },
    ({ verifyCode, ...kept }) => {
      setDraft(kept)
      setDraftCode('login', verifyCode)
    },
  )
  const onSubmit = fields.submit(async (values) => {
    const contact = toContactInput(way, values)
    const refused = await submit.run(async () => {
      const reply =
        method === 'code'
          ? await userAccountApi.codeLogin({ ...contact, verifyCode: values.verifyCode, codeTicket: findCodeTicket(`login ${formatContact(way, values)}`) })
          : await withCaptcha('login', (captchaVerifyParam) => userAccountApi.passwordLogin({ ...contact, password: values.password, captchaVerifyParam }))
      if (reply) await go(reply, 'auth_done_login')
    })
    if (refused?.errorName === 'NOT_REGISTERED') {
      // the code is correct and also valid for registration, so no second one is needed
      setDraftCode('register', values.verifyCode)
      onMode('register')
    } else if (refused?.errorName === 'CODE_WRONG') {
      fields.set({ verifyCode: '' })
      fields.refuse('verifyCode', refused.message)
      submit.clear()
    }
  })
  const locked = submit.failure && (submit.failure as { errorName?: string }).errorName === 'LOGIN_LOCKED'
  return { way, method, fields, submit, onSubmit, locked }
}

/** Sign-in form: mobile or e-mail, with code or password. Its parent remounts it when either changes. */
function LoginForm({ onMode, redirect }: FormProps) {
  const t = useTexts(accountTexts)
  const { way, method, fields, submit, onSubmit, locked } = useLogin({ onMode, redirect })
  const { value: code, onChange: onCode, error: codeError } = fields.bind('verifyCode')
  const secret = fields.bind('password')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <IdentityField way={way} fields={fields} isUsername={method === 'password'} />
      {method === 'code' ? (
        <CodeRow
          purpose="login"
          target={formatContact(way, fields.values)}
          by={way === 'mobile' ? 'sms' : 'mail'}
          value={code}
          onChange={onCode}
          onComplete={() => onSubmit()}
          error={codeError}
          check={() => fields.check(way === 'mobile' ? 'phone' : 'email')}
          send={() => requestAuthCode('login', way, fields.values)}
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

interface AuthPanelProps {
  readonly redirect: string | undefined
  readonly onReady?: () => void
}

/** The three forms, in the dialog and on the page. */
export function AuthPanel({ redirect, onReady }: AuthPanelProps) {
  const t = useTexts(accountTexts)
  const { mode, way, method } = useAuthDraft()
  const noMobile = useSignInOptions()?.mobileRegions.length === 0
  const ready = useRef(onReady)
  useEffect(() => {
    attachDeviceName()
    ready.current?.()
    preloadCaptcha()
  }, [])
  useEffect(() => {
    if (noMobile) setDraft({ way: 'email' })
  }, [noMobile])
  const onMode = (next: AuthMode) => setDraft({ mode: next })
  const props = { onMode, redirect }
  const link = 'link font-medium mobile:min-h-11 mobile:px-1'
  if (mode === 'reset')
    return (
      <>
        <ResetForm {...props} />
        <p className="mt-5 text-center text-14 text-fg-2">
          {t('auth_remembered')}{' '}
          <button type="button" className={link} onClick={() => onMode('login')}>
            {t('auth_to_login')}
          </button>
        </p>
      </>
    )
  const isLogin = mode === 'login'
  return (
    <>
      {noMobile ? null : (
        <div className="mb-5">
          <WayTabs value={way} onChange={(next) => setDraft({ way: next })} />
        </div>
      )}
      {isLogin ? <LoginForm key={`${way} ${method}`} {...props} /> : <RegisterForm key={way} {...props} />}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 text-14 text-fg-2">
        {isLogin ? (
          <button type="button" className={link} onClick={() => setDraft({ method: method === 'code' ? 'password' : 'code' })}>
            {t(method === 'code' ? 'auth_by_password' : 'auth_by_code')}
          </button>
        ) : null}
        <p className={isLogin ? '' : 'mx-auto'}>
          {t(isLogin ? 'auth_no_account' : 'auth_has_account')}{' '}
          <button type="button" className={link} onClick={() => onMode(isLogin ? 'register' : 'login')}>
            {t(isLogin ? 'auth_to_register' : 'auth_to_login')}
          </button>
        </p>
      </div>
      <GoogleButton redirect={redirect} />
    </>
  )
}
