import { useState } from 'react'
import type { FormEvent } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { Button } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import type { mailboxContract } from '../contract.ts'
import { mailboxTexts } from '../texts.ts'
import { MAILBOX_PREFIX_PATTERN } from '../words.ts'
import { mailboxApi, refreshMailboxes, cacheMailbox, useSuffixes } from './use-mailbox.ts'

export const EMAIL_ORDER = 11
interface ApplyMailboxProps {
  readonly count: ReplyOf<typeof mailboxContract.emailCount>
  readonly onMade: (id: string) => void
  readonly onBack: (() => void) | undefined
}

/** Form: the name, its domain, and the order button. */
export function ApplyMailbox({ count, onMade, onBack }: ApplyMailboxProps) {
  const t = useTexts(mailboxTexts)
  const suffixes = useSuffixes().data ?? []
  const { run, isRunning, failure } = useSubmit()
  const [name, setName] = useState('')
  const [wanted, setSuffix] = useState('')
  const [tried, setTried] = useState(false)
  const suffix = suffixes.includes(wanted) ? wanted : (suffixes[0] ?? '')
  const bad = !MAILBOX_PREFIX_PATTERN.test(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (bad || count.paused !== null) return
    void run(async () => {
      const { box, pay } = await mailboxApi.emailApply({ username: name, suffix })
      cacheMailbox(box)
      refreshMailboxes()
      onMade(box.id)
      if (pay) openDialog('recharge', { ask: pay })
    }).catch(() => undefined)
  }
  return (
    <form onSubmit={submit} className="grid max-w-[520px] gap-5" noValidate>
      <p className="text-14 text-fg-2">{t('boxLead', { days: String(count.days) })}</p>
      {count.paused === null ? null : (
        <AlertBox kind="warning" title={t('boxPaused')}>
          {count.paused || t('boxPausedAbout')}
        </AlertBox>
      )}
      <div className="flex items-start gap-2">
        <TextField
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.target.value.trim().toLowerCase())}
          hint={t('nameHint')}
          error={tried && bad ? t('nameWrong') : undefined}
          maxLength={12}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          fieldClassName="min-w-0 flex-1"
          className="num"
        />
        {suffixes.length > 1 ? (
          <PickField label="@" options={suffixes.map((value) => ({ value, label: `@${value}` }))} value={suffix} onChange={setSuffix} className="w-52" />
        ) : (
          <span className="num mt-9 shrink-0 text-14 text-fg-2 mobile:text-13">@{suffix}</span>
        )}
      </div>
      {failure ? (
        <p role="alert" className="text-14 text-danger">
          {failure.message}
        </p>
      ) : null}
      <div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" size="lg" loading={isRunning} aria-disabled={count.paused !== null}>
            {isRunning ? t('making') : count.left > 0 ? t('makeFree') : t('makePaid', { price: displayUsd(count.price) })}
          </Button>
          {onBack ? (
            <Button variant="ghost" size="lg" onClick={onBack}>
              {t('inbox')}
            </Button>
          ) : null}
        </div>
        <p className="mt-2 text-13 text-fg-2">
          {count.allowed
            ? `${t('freeLeft', { left: String(count.left), allowed: String(count.allowed) })}${count.left ? '' : ` · ${t('priceNote')}`}`
            : t('priceNote')}
        </p>
      </div>
      <ul className="grid list-disc gap-1 pl-5 text-13 text-fg-2">
        <li>{t('boxRule1', { minutes: String(count.minutes) })}</li>
        <li>{t('boxRule2', { days: String(count.days) })}</li>
        <li>{t('boxRule3')}</li>
      </ul>
    </form>
  )
}
