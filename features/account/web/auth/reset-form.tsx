import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PASSWORD_MIN } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { FormError } from '../fields/form-error.tsx'
import { IdentityField } from '../fields/identity-field.tsx'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import { SubmitButton } from '../fields/submit-button.tsx'
import { setDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { requestAuthCode } from './send-code.ts'
import { useReset } from './use-reset.ts'
import { WayTabs } from './way-tabs.tsx'

/** Two steps: whose password it is, proven by a code; then the new one (product.md 1.2). */
export function ResetForm({ onMode }: FormProps) {
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
