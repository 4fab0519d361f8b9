import { useState } from 'react'
import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { toast } from '#ui/layers/toast.ts'
import { CAPTCHA_SCENE } from '../../contract.ts'
import { formatPhone, parsePhone, findPhoneRegion, parseWirePhone, type PhoneInput } from '../../phone.ts'
import { accountTexts } from '../../texts.ts'
import { securityTexts } from '../../texts-security.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { PhoneField } from '../fields/phone-field.tsx'
import { checkCode, checkPhone, type AccountTextKey } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { reloadMe, useCurrentUser, type Me } from '../use-me.ts'
import { securityApi } from './api.ts'
import { WithMe, TypingDialog, useNamedDialog, withQueries } from './frame.tsx'
import { OwnCode, useContactKind } from './own-code.tsx'
import { StepsLine } from './steps-line.tsx'

/** Changes the mobile in two steps: a code to the old number (or the e-mail) returns a flow; then the new number, its code and the flow. */
export const MobileDialog = withQueries(function MobileDialog() {
  const t = useTexts(securityTexts)
  const { open, close, turn } = useNamedDialog('mobile')
  const me = useCurrentUser().data
  return (
    <TypingDialog open={open} onClose={close} title={t(me?.mobile ? 'mobile_title' : 'mobile_title_bind')}>
      <WithMe key={turn}>{(me) => <MobileSteps me={me} onDone={close} />}</WithMe>
    </TypingDialog>
  )
})

function MobileSteps({ me, onDone }: { readonly me: Me; readonly onDone: () => void }) {
  const t = useTexts(securityTexts)
  const [flow, setFlow] = useState<string>()
  const [ended, setEnded] = useState<string>()
  return (
    <>
      <StepsLine at={flow ? 2 : 1} names={[t('mobile_step_1'), t('mobile_step_2')]} />
      {flow ? (
        <NewNumber
          me={me}
          flow={flow}
          onDone={onDone}
          onEnded={(message) => {
            setEnded(message)
            setFlow(undefined)
          }}
        />
      ) : (
        <OldNumber me={me} message={ended} onFlow={setFlow} />
      )}
    </>
  )
}

interface OldNumberProps {
  readonly me: Me
  readonly message: string | undefined
  readonly onFlow: (flow: string) => void
}

function OldNumber({ me, message, onFlow }: OldNumberProps) {
  const a = useTexts(accountTexts)
  const [by, setBy] = useContactKind(me)
  const submit = useSubmit()
  const fields = useAccountFields({ verifyCode: '' }, { verifyCode: ({ verifyCode }) => checkCode(verifyCode) })
  const onSubmit = fields.submit(async ({ verifyCode }) => {
    const refused = await submit.run(async () => onFlow((await securityApi.verifyOldMobile({ verifyCode })).verifyFlow))
    if (refused?.errorName !== 'CODE_WRONG') return
    fields.set({ verifyCode: '' })
    fields.refuse('verifyCode', refused.message)
    submit.clear()
  })
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <OwnCode
        me={me}
        purpose="updateMobile"
        by={by}
        onBy={setBy}
        {...fields.bind('verifyCode')}
        onComplete={() => onSubmit()}
        send={securityApi.sendOldMobileCode}
      />
      <FormError message={submit.failure?.message ?? message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {a('auth_next')}
      </SubmitButton>
    </form>
  )
}

interface NewNumberProps {
  readonly me: Me
  readonly flow: string
  readonly onDone: () => void
  readonly onEnded: (message: string) => void
}

function NewNumber({ me, flow, onDone, onEnded }: NewNumberProps) {
  const t = useTexts(securityTexts)
  const submit = useSubmit()
  const own = parseWirePhone(me.mobile ?? '')
  const differs = (phone: PhoneInput): AccountTextKey | undefined => (own && parsePhone(phone)?.e164 === own.e164 ? 'error_MOBILE_SAME' : undefined)
  const fields = useAccountFields(
    { phone: { region: (own && findPhoneRegion(own.e164)) ?? '86', number: '' } as PhoneInput, verifyCode: '' },
    { phone: ({ phone }) => checkPhone(phone) ?? differs(phone), verifyCode: ({ verifyCode }) => checkCode(verifyCode) },
  )
  const { phone } = fields.values
  const parsed = parsePhone(phone)
  const onSubmit = fields.submit(async ({ verifyCode }) => {
    const refused = await submit.run(async () => {
      await securityApi.updateMobile({ newMobile: parsed?.wire ?? phone.number, verifyCode, verifyFlow: flow })
      await reloadMe()
      toast.success(t('mobile_done'))
      onDone()
    })
    if (refused?.errorName === 'FLOW_ENDED') return onEnded(refused.message)
    const field = ({ CODE_WRONG: 'verifyCode', MOBILE_TAKEN: 'phone', MOBILE_SAME: 'phone' } as const)[refused?.errorName ?? '']
    if (!field || !refused) return
    if (field === 'verifyCode') fields.set({ verifyCode: '' })
    fields.refuse(field, refused.message)
    submit.clear()
  })
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <PhoneField label={t('mobile_new')} {...fields.bind('phone')} />
      <CodeRow
        purpose="bindMobile"
        target={parsed ? formatPhone(parsed.wire) : ''}
        by="sms"
        {...fields.bind('verifyCode')}
        onComplete={() => onSubmit()}
        check={() => fields.check('phone')}
        send={() =>
          withCaptcha(CAPTCHA_SCENE.bindMobile, (captchaVerifyParam) => securityApi.sendNewMobileCode({ mobile: parsed?.wire ?? '', captchaVerifyParam }))
        }
      />
      <FormError message={submit.failure?.message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t('mobile_action')}
      </SubmitButton>
    </form>
  )
}
