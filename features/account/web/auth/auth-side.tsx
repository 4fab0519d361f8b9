import { useTexts } from '#platform/web/i18n.ts'
import { accountTexts } from '../../texts.ts'
import { Time } from '#platform/web/time.tsx'
import { Leader, Receipt, ReceiptRule } from '#ui/receipt.tsx'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { formatPhone, parsePhone } from '../../phone.ts'
import { useSignInOptions } from '../sign-in-options.ts'
import { useAuthDraft } from './draft.ts'
import type { AuthDraft, AuthMode } from './draft.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const TAPE_TEXT = { register: 'tape_register', login: 'tape_login', reset: 'tape_reset' } as const satisfies Record<AuthMode, TextKeyOf<typeof accountTexts>>

/** Recipient of the receipt, as typed so far. */
function describeAccount({ way, phone, email }: AuthDraft): string {
  if (way === 'email') return email.trim()
  const parsed = parsePhone(phone)
  return parsed ? formatPhone(parsed.wire) : phone.number && `+${phone.region} ${phone.number}`
}

/** Shows the sign-in as a receipt while the user fills it in: required input, session length, price. */
function SignTape() {
  const t = useTexts(accountTexts)
  const draft = useAuthDraft()
  const options = useSignInOptions()
  const [now] = useState(() => Date.now())
  const { mode, way } = draft
  const method = mode === 'login' ? draft.method : 'code'
  const how = method === 'password' ? 'tape_password' : way === 'mobile' ? 'tape_sms' : 'tape_mail'
  return (
    <Receipt className="pt-6!">
      <div className="flex items-baseline justify-between gap-3 text-14 font-semibold">
        <span>{t(TAPE_TEXT[mode])}</span>
        <Time at={now} show="day" className="text-12 font-normal" />
      </div>
      <ReceiptRule />
      <Line label={t('tape_account')} value={describeAccount(draft) || <span className="text-paper-fg-2">{t('tape_empty')}</span>} />
      <Line label={t('tape_how')} value={t(how)} />
      <Line label={t('tape_life')} value={options ? t('tape_days', { days: String(options.sessionDays) }) : '…'} />
      <Line label={t('tape_month')} value={<span className="num">$0.00</span>} />
      <ReceiptRule />
      <div className="flex items-baseline justify-between gap-3 text-18 font-bold">
        <span>{t('tape_total')}</span>
        <span className="num">$0.00</span>
      </div>
      <p className="receipt-note text-12">{t('tape_note')}</p>
    </Receipt>
  )
}

function Line({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div className="receipt-row py-0.5 text-13">
      <span className="shrink-0">{label}</span>
      <Leader />
      <span className="tabular min-w-0 truncate">{value}</span>
    </div>
  )
}

/** Column beside the forms on desktop: the promise and the tape. It repeats the form's content, so screen readers skip it. */
export function AuthSide() {
  const t = useTexts(accountTexts)
  return (
    <div aria-hidden="true" className="on-ink flex h-full flex-col bg-ink px-6 pt-8 pb-7 text-ink-fg">
      <p className="text-28 leading-[1.25] font-bold">
        <span className="block">{t('side_1')}</span>
        <span className="block text-ink-accent">{t('side_2')}</span>
      </p>
      <p className="mt-3 text-14 text-ink-fg-2">{t('side_lead')}</p>
      <div className="mt-auto pt-8">
        <SignTape />
      </div>
    </div>
  )
}
