import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { userAccountApi } from '../account-api.ts'
import { findCodeTicket } from '../fields/code-waits.ts'
import { toContactInput, buildIdentityRules, formatContact } from '../fields/identity-field.tsx'
import { checkCode, checkPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { setDraft, setDraftCode, useAuthDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { useSignedInGo } from './use-signed-in.ts'

/** Fields and submit handler of the sign-in, with a code or a password. */
export function useLogin({ onMode, redirect }: FormProps) {
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
