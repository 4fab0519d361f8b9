import { accountApi } from '../account-api.ts'
import { ticketOf } from '../fields/code-waits.ts'
import { contactOf, identityRules, shownContact } from '../fields/identity-field.tsx'
import { codeRule, confirmRule, newPasswordRule } from '../fields/rules.ts'
import { useFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { kept } from '#platform/web/state/storage.ts'
import { setDraft, setDraftCode, useDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { useSignInOptions } from '../sign-in-options.ts'
import { useSignedInGo } from './use-signed-in.ts'

/** The fields of a registration, and its sending. By mobile a code is enough, and a password can be set later; by e-mail both are asked for. */
export function useRegister({ redirect }: Pick<FormProps, 'redirect'>) {
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
      // A link that was followed after the dialog had been open counts as well.
      inviteCode: draft.inviteCode || (kept('invite') ?? ''),
      agreed: draft.agreed,
    },
    {
      ...identityRules(way),
      verifyCode: ({ verifyCode }) => codeRule(verifyCode),
      newPassword: ({ newPassword }) => (withPassword ? newPasswordRule(newPassword) : undefined),
      confirm: ({ newPassword, confirm }) => (withPassword ? confirmRule(newPassword, confirm) : undefined),
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
      const shown = shownContact(way, values)
      // A code to sign in with serves here too, when the mobile has no account.
      const codeTicket = ticketOf(`register ${shown}`, `login ${shown}`)
      const wish = { ...contactOf(way, values), verifyCode: values.verifyCode, codeTicket, password, inviteCode: values.inviteCode }
      await go(await accountApi.register(wish), 'auth_done_register')
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
  return { draft, way, withPassword, tickedAtFirst, fields, submit, onSubmit, taken, passwordsStand }
}
