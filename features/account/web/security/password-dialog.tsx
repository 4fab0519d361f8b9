import { useTexts } from '#platform/web/i18n.ts'
import { toast } from '#ui/layers/toast.ts'
import { SETTINGS_PASSWORD_MIN } from '../../contract.ts'
import { parseWirePhone } from '../../phone.ts'
import { accountTexts } from '../../texts.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import { checkCode, checkConfirmation, checkSettingsPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { reloadMe, useCurrentUser, type Me } from '../use-me.ts'
import { securityApi } from './api.ts'
import { WithMe, TypingDialog, useNamedDialog, withQueries } from './frame.tsx'
import { OwnCode, useContactKind } from './own-code.tsx'
import { withStepUp } from '#platform/web/calls/step-up.ts'

/** Changes the password with a code to an own contact, or sets the first one. */
export const PasswordDialog = withQueries(function PasswordDialog() {
  const t = useTexts(securityTexts)
  const { open, close, turn } = useNamedDialog('password')
  const me = useCurrentUser().data
  return (
    <TypingDialog open={open} onClose={close} title={t(me?.password === false ? 'password_title_first' : 'password_title')}>
      <WithMe key={turn}>{(me) => <PasswordForm me={me} onDone={close} />}</WithMe>
    </TypingDialog>
  )
})

function PasswordForm({ me, onDone }: { readonly me: Me; readonly onDone: () => void }) {
  const a = useTexts(accountTexts)
  const t = useTexts(securityTexts)
  const [by, setBy] = useContactKind(me)
  const submit = useSubmit()
  const mobile = parseWirePhone(me.mobile ?? '')?.national
  const isFirst = !me.password
  const fields = useAccountFields(
    { verifyCode: '', password: '', confirm: '' },
    {
      ...(isFirst ? {} : { verifyCode: ({ verifyCode }: { verifyCode: string }) => checkCode(verifyCode) }),
      password: ({ password }) => checkSettingsPassword(password, mobile),
      confirm: ({ password, confirm }) => checkConfirmation(password, confirm),
    },
  )
  const onSubmit = fields.submit(async ({ verifyCode, password }) => {
    const refused = await submit.run(async () => {
      const contact = by === 'mobile' ? { mobile: me.mobile ?? '' } : { email: me.email ?? '' }
      const done = await (isFirst ? withStepUp(() => securityApi.initPassword({ password })) : securityApi.updatePassword({ ...contact, verifyCode, password }))
      if (!done) return
      await reloadMe()
      toast.success(t(isFirst ? 'password_done_first' : 'password_done'))
      onDone()
    })
    const field = ({ CODE_WRONG: 'verifyCode', PASSWORD_WEAK: 'password' } as const)[refused?.errorName ?? '']
    if (!field || !refused) return
    if (field === 'verifyCode') fields.set({ verifyCode: '' })
    fields.refuse(field, refused.message)
    submit.clear()
  })
  const [password, confirm] = [fields.bind('password'), fields.bind('confirm')]
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      {isFirst ? (
        <p className="text-14 text-fg-2">{t('password_lead_first')}</p>
      ) : (
        <OwnCode
          me={me}
          purpose="updatePassword"
          by={by}
          onBy={setBy}
          {...fields.bind('verifyCode')}
          send={(input) => securityApi.sendOwnCode({ type: 'updatePassword', ...input })}
        />
      )}
      <NewPasswordFields
        label={a('auth_new_password')}
        username={me.email ?? me.mobile ?? undefined}
        min={SETTINGS_PASSWORD_MIN}
        value={password.value}
        onValue={password.onChange}
        error={password.error}
        confirm={confirm.value}
        onConfirm={confirm.onChange}
        confirmError={confirm.error}
      />
      <FormError message={submit.failure?.message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t(isFirst ? 'password_action_first' : 'password_action')}
      </SubmitButton>
      <p className="text-center text-13 text-fg-3">{t('password_ends')}</p>
    </form>
  )
}
