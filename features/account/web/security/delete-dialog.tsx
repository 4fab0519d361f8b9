import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { endSession } from '#platform/web/state/session.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { accountTexts } from '../../texts.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { checkCode, checkPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import type { Me } from '../use-me.ts'
import { securityApi } from './api.ts'
import { WithMe, TypingDialog, useNamedDialog, withQueries } from './frame.tsx'
import { OwnCode, useContactKind } from './own-code.tsx'
import { Link } from '@tanstack/react-router'
import { parseOwnPath } from '#platform/shared/own-path.ts'

/** A blocker in the reader's language, with a link to the page that resolves it. */
interface ClosingBlocker {
  readonly code: string
  readonly text: string
  readonly path: string
}

interface BlockersProps {
  readonly list: readonly ClosingBlocker[]
  readonly onGo: () => void
  readonly onAgain: () => void
}

function Blockers({ list, onGo, onAgain }: BlockersProps) {
  const t = useTexts(securityTexts)
  return (
    <>
      <p className="text-14 text-fg-2">{t('delete_blocked', { count: list.length })}</p>
      <ul className="my-4 divide-y divide-line border-y border-line">
        {list.map((one) => (
          <li key={one.code} className="flex items-center justify-between gap-4 py-3 text-14">
            <span className="min-w-0">{one.text}</span>
            <Link to={parseOwnPath(one.path) ?? '/account'} onClick={onGo} className={getButtonClass('secondary', 'sm', 'shrink-0')}>
              {t('delete_settle')}
            </Link>
          </li>
        ))}
      </ul>
      <Button variant="ghost" block onClick={onAgain}>
        {t('delete_check_again')}
      </Button>
    </>
  )
}

/** Closes the account permanently. Lists blockers with links first; then requires a typed word and a proof. */
export const DeleteDialog = withQueries(function DeleteDialog() {
  const t = useTexts(securityTexts)
  const { open, close, turn } = useNamedDialog('deleteAccount')
  return (
    <TypingDialog open={open} onClose={close} title={t('delete_title')} size="md">
      <WithMe key={turn}>{(me) => <DeleteSteps me={me} onClose={close} />}</WithMe>
    </TypingDialog>
  )
})

function DeleteSteps({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const check = useQuery({ queryKey: ['account', 'closeCheck'], queryFn: ({ signal }) => securityApi.closeCheck({}, { signal }), staleTime: 0, gcTime: 0 })
  const [found, setFound] = useState<readonly ClosingBlocker[]>()
  const blockers = found ?? check.data?.blockers
  if (check.isError && !blockers) return <ErrorState error={check.error} onRetry={() => void check.refetch()} />
  if (!blockers) return <SkeletonRows rows={3} />
  return blockers.length > 0 ? (
    <Blockers
      list={blockers}
      onGo={onClose}
      onAgain={() => {
        setFound(undefined)
        void check.refetch()
      }}
    />
  ) : (
    <DeleteForm me={me} onBlocked={setFound} onClose={onClose} />
  )
}

interface DeleteFormProps {
  readonly me: Me
  readonly onBlocked: (blockers: readonly ClosingBlocker[]) => void
  readonly onClose: () => void
}

function DeleteForm({ me, onBlocked, onClose }: DeleteFormProps) {
  const a = useTexts(accountTexts)
  const t = useTexts(securityTexts)
  const [by, setBy] = useContactKind(me)
  const submit = useSubmit()
  const word = t('delete_word')
  const [typed, setTyped] = useState('')
  const [mistyped, setMistyped] = useState(false)
  const fields = useAccountFields(
    { password: '', verifyCode: '' },
    me.password ? { password: ({ password }) => checkPassword(password) } : { verifyCode: ({ verifyCode }) => checkCode(verifyCode) },
  )
  const onSubmit = fields.submit(async ({ password, verifyCode }) => {
    if (typed.normalize('NFKC').trim().toLowerCase() !== word.toLowerCase()) return setMistyped(true)
    const refused = await submit.run(async () => {
      await securityApi.deleteAccount(me.password ? { password } : { verifyCode })
      onClose()
      endSession('signedOut')
      toast.success(t('delete_done'))
    })
    if (refused?.errorName === 'CLOSE_BLOCKED') return onBlocked((refused.data as { blockers?: readonly ClosingBlocker[] }).blockers ?? [])
    const field = ({ CODE_WRONG: 'verifyCode', LOGIN_FAILED: 'password' } as const)[refused?.errorName ?? '']
    if (!field || !isApiError(refused)) return
    fields.refuse(field, field === 'password' ? t('step_wrong') : refused.message)
    submit.clear()
  })
  const password = fields.bind('password')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <ul className="grid list-disc gap-1 pl-5 text-14 text-fg-2">
        <li>{t('delete_means_1')}</li>
        <li>{t('delete_means_2')}</li>
        <li>{t('delete_means_3')}</li>
      </ul>
      {me.password ? (
        <PasswordField
          label={a('auth_password')}
          autoComplete="current-password"
          value={password.value}
          onChange={(event) => password.onChange(event.target.value)}
          error={password.error}
        />
      ) : (
        <OwnCode
          me={me}
          purpose="deleteAccount"
          by={by}
          onBy={setBy}
          {...fields.bind('verifyCode')}
          send={(input) => securityApi.sendOwnCode({ type: 'deleteAccount', ...input })}
        />
      )}
      <TextField
        label={t('delete_type', { word })}
        value={typed}
        autoComplete="off"
        error={mistyped ? t('delete_mistyped', { word }) : undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          setMistyped(false)
        }}
      />
      <FormError message={submit.failure?.message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow} danger>
        {t('delete_action')}
      </SubmitButton>
      <Button variant="ghost" block onClick={onClose}>
        {t('delete_keep')}
      </Button>
    </form>
  )
}
