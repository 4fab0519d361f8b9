import { useState } from 'react'
import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { CAPTCHA_SCENE, normalizeEmail } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { securityTexts } from '../../texts-security.ts'
import { userAccountApi } from '../account-api.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { EmailField } from '../fields/email-field.tsx'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { checkCode, checkEmail } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { reloadMe, useSignOut, type Me } from '../use-me.ts'
import { securityApi } from './api.ts'
import { WithMe, TypingDialog, useNamedDialog, withQueries } from './frame.tsx'
import { withStepUp } from '#platform/web/calls/step-up.ts'

/** Binds, verifies or changes the e-mail. A forced dialog cannot be closed; the user can only sign out (product.md 1.4). */
export const EmailDialog = withQueries(function EmailDialog() {
  const t = useTexts(securityTexts)
  const { open, props, close, turn } = useNamedDialog('email')
  const signOut = useSignOut()
  const [leaving, setLeaving] = useState(false)
  const forced = props?.forced === true
  const leave = async () => {
    setLeaving(true)
    await signOut()
    setLeaving(false)
    close()
  }
  return (
    <TypingDialog
      open={open}
      onClose={close}
      closable={!forced}
      title={t(props?.mode === 'update' ? 'email_title_update' : 'email_title_bind')}
      description={t(forced ? 'email_lead_forced' : props?.mode === 'update' ? 'email_lead_update' : 'email_lead_bind')}
    >
      <WithMe key={turn}>{(me) => <EmailForm me={me} onDone={close} />}</WithMe>
      {forced ? (
        <Button variant="ghost" block className="mt-3" loading={leaving} onClick={() => void leave()}>
          {t('email_sign_out')}
        </Button>
      ) : null}
    </TypingDialog>
  )
})

function EmailForm({ me, onDone }: { readonly me: Me; readonly onDone: () => void }) {
  const a = useTexts(accountTexts)
  const t = useTexts(securityTexts)
  const unproven = me.email && me.emailVerifyStatus === 0 ? me.email : undefined
  const submit = useSubmit()
  const fields = useAccountFields(
    { email: unproven ?? '', verifyCode: '' },
    { email: ({ email }) => checkEmail(email), verifyCode: ({ verifyCode }) => checkCode(verifyCode) },
  )
  // verifies the user's own unverified mailbox; any other one replaces it
  const isOwn = unproven !== undefined && normalizeEmail(fields.values.email) === normalizeEmail(unproven)
  const purpose = isOwn ? 'verify' : 'updateEmail'
  const onSubmit = fields.submit(async ({ email, verifyCode }) => {
    const refused = await submit.run(async () => {
      const input = { email: email.trim(), verifyCode }
      const done = await (isOwn ? securityApi.verifyEmail(input) : withStepUp(() => securityApi.updateEmail(input)))
      if (!done) return
      await reloadMe()
      toast.success(t('email_done'))
      onDone()
    })
    const field = ({ CODE_WRONG: 'verifyCode', EMAIL_TAKEN: 'email', EMAIL_SAME: 'email' } as const)[refused?.errorName ?? '']
    if (!field || !refused) return
    if (field === 'verifyCode') fields.set({ verifyCode: '' })
    fields.refuse(field, refused.errorName === 'EMAIL_TAKEN' ? t('email_taken') : refused.message)
    submit.clear()
  })
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <EmailField label={a('auth_email')} {...fields.bind('email')} />
      <CodeRow
        purpose={purpose}
        target={checkEmail(fields.values.email) ? '' : fields.values.email.trim()}
        by="mail"
        {...fields.bind('verifyCode')}
        onComplete={() => onSubmit()}
        check={() => fields.check('email')}
        send={() =>
          withCaptcha(CAPTCHA_SCENE[purpose], (captchaVerifyParam) =>
            userAccountApi.sendEmailCode({ email: fields.values.email.trim(), verifyCodeType: purpose, captchaVerifyParam }),
          )
        }
      />
      <FormError message={submit.failure?.message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t(isOwn ? 'email_action_verify' : 'email_action_bind')}
      </SubmitButton>
    </form>
  )
}
