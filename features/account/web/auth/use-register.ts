import { userAccountApi } from '../account-api.ts'
import { findCodeTicket } from '../fields/code-waits.ts'
import { toContactInput, buildIdentityRules, formatContact } from '../fields/identity-field.tsx'
import { checkCode, checkConfirmation, checkNewPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { readStored } from '#platform/web/state/storage.ts'
import { setDraft, setDraftCode, useAuthDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { useSignInOptions } from '../sign-in-options.ts'
import { useSignedInGo } from './use-signed-in.ts'

/** The fields of a registration, and its sending. By mobile a code is enough, and a password can be set later; by e-mail both are asked for. */
export function useRegister({ redirect }: Pick<FormProps, 'redirect'>) {
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
      // A link that was followed after the dialog had been open counts as well.
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
      // A code to sign in with serves here too, when the mobile has no account.
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
  /** The last field of the form: a complete code sends it where nothing else is missing. */
  const passwordsStand = () => !checkNewPassword(fields.values.newPassword) && !checkConfirmation(fields.values.newPassword, fields.values.confirm)
  return { draft, way, withPassword, tickedAtFirst, fields, submit, onSubmit, taken, passwordsStand }
}
