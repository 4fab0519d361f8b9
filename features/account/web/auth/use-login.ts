import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { accountApi } from '../account-api.ts'
import { ticketOf } from '../fields/code-waits.ts'
import { contactOf, identityRules, shownContact } from '../fields/identity-field.tsx'
import { codeRule, passwordRule } from '../fields/rules.ts'
import { useFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { setDraft, setDraftCode, useDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { useSignedInGo } from './use-signed-in.ts'

/** Fields and submit handler of the sign-in, with a code or a password. */
export function useLogin({ onMode, redirect }: FormProps) {
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
