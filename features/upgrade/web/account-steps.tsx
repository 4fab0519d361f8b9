import type { TextKeyOf } from '#platform/shared/texts.ts'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { findLinkProblem, findMailProblem, shortenLink, UPGRADE_SERVICE_NAMES } from '../plans.ts'
import type { UpgradeService, MailProblem, LinkProblem } from '../plans.ts'
import { upgradeTexts } from '../texts.ts'
import type { UpgradeStepProps } from './choose-steps.tsx'
import { UpgradeProblem } from './problem.tsx'
import type { UpgradeOffer } from './offer.ts'

const MAIL_TEXT = { empty: 'mail_empty', microsoft: 'mail_microsoft', invalid: 'mail_invalid' } as const satisfies Record<
  MailProblem,
  TextKeyOf<typeof upgradeTexts>
>
const LINK_TEXT = { empty: 'link_empty', not_link: 'link_not_link', host: 'link_host', incomplete: 'link_incomplete' } as const satisfies Record<
  LinkProblem,
  TextKeyOf<typeof upgradeTexts>
>

const NOTICES = ['notice1', 'notice2', 'notice3', 'notice4'] as const

/** Step 3: notices for new members, confirmed before any input. */
export function UpgradeNoticeStep({ offer, onNext }: { readonly offer: UpgradeOffer; readonly onNext: () => void }) {
  const t = useTexts(upgradeTexts)
  const [read, setRead] = useState(false)
  const [tried, setTried] = useState(false)
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (read) onNext()
      }}
    >
      <ul className="list-disc space-y-2 pl-5 text-14 text-fg-2">
        {NOTICES.map((name) => (
          <li key={name}>{t(name, offer.limits)}</li>
        ))}
      </ul>
      <CheckboxField
        label={t('noticeRead')}
        checked={read}
        onChange={(event) => setRead(event.target.checked)}
        error={tried && !read ? t('noticeUnread') : undefined}
      />
      <Button type="submit" size="lg" block>
        {t('next')}
      </Button>
    </form>
  )
}

/** Step 4: the account to upgrade. Its password is never requested. */
export function AccountStep({ filled, busy, problem, keep }: UpgradeStepProps) {
  const t = useTexts(upgradeTexts)
  const [typed, setTyped] = useState(filled.account)
  const [tried, setTried] = useState(false)
  const bad = findMailProblem(typed)
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!bad) void keep({ account: typed.trim() }, 'open')
      }}
    >
      <TextField
        label={t('account')}
        hint={t('accountHint')}
        error={bad && (tried || bad === 'microsoft') ? t(MAIL_TEXT[bad]) : undefined}
        type="email"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <UpgradeProblem text={problem} />
      <Button type="submit" size="lg" block loading={busy}>
        {t('accountConfirm')}
      </Button>
    </form>
  )
}

/** Page of each service that starts an upgrade. */
const PAGES: Readonly<Record<UpgradeService, string>> = {
  chatgpt: 'https://chatgpt.com/#pricing',
  cursor: 'https://cursor.com/dashboard',
  suno: 'https://suno.com/account',
  midjourney: 'https://www.midjourney.com/account',
  x: 'https://x.com/i/premium_sign_up',
  poe: 'https://poe.com/subscribe',
}
const OPENING = ['open1', 'open2', 'open3', 'open4'] as const

/** Step 5: the member opens the payment page in their own browser, signed in. */
export function OpenStep({ service, onNext }: { readonly service: UpgradeService; readonly onNext: () => void }) {
  const t = useTexts(upgradeTexts)
  const name = UPGRADE_SERVICE_NAMES[service]
  return (
    <div className="grid grid-cols-1 gap-5">
      <ol className="list-decimal space-y-2 pl-5 text-14 text-fg-2">
        {OPENING.map((text) => (
          <li key={text}>{t(text, { name })}</li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <a className={getButtonClass('secondary')} href={PAGES[service]} target="_blank" rel="noreferrer noopener">
          {t('openPage', { name })}
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
        </a>
        <a className="text-14" href="/help/payment-links" target="_blank" rel="noopener">
          {t('openHelp')}
        </a>
      </div>
      <Button size="lg" block onClick={onNext}>
        {t('opened')}
      </Button>
    </div>
  )
}

/** Step 6: the payment link, validated on paste. */
export function LinkStep({ filled, busy, problem, keep, hosts }: UpgradeStepProps & { readonly hosts: readonly string[] }) {
  const t = useTexts(upgradeTexts)
  const [typed, setTyped] = useState(filled.link)
  const [tried, setTried] = useState(false)
  const bad = findLinkProblem(typed, hosts)
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!bad) void keep({ link: typed.trim() }, 'pay')
      }}
    >
      <LinkField value={typed} onChange={setTyped} hosts={hosts} tried={tried} />
      <UpgradeProblem text={problem} />
      <Button type="submit" size="lg" block loading={busy}>
        {t('linkUse')}
      </Button>
    </form>
  )
}

interface LinkFieldProps {
  readonly value: string
  readonly onChange: (link: string) => void
  readonly hosts: readonly string[]
  readonly tried: boolean
}

export function LinkField({ value, onChange, hosts, tried }: LinkFieldProps) {
  const t = useTexts(upgradeTexts)
  const bad = findLinkProblem(value, hosts)
  return (
    <TextField
      label={t('payLink')}
      hint={bad ? t('linkHint', { host: hosts[0] ?? '' }) : t('linkGood', { link: shortenLink(value) })}
      error={bad && (tried || value.trim() !== '') ? t(LINK_TEXT[bad]) : undefined}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      className="num"
      maxLength={4000}
      placeholder={`https://${hosts[0] ?? ''}/c/pay/cs_live_…`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
