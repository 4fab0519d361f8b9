import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Countdown } from '#ui/time/countdown.tsx'
import { registrationDeskApi } from './api.ts'
import { serviceDeskTexts } from './texts.ts'

const REVEAL_SECONDS = 60

/** Credentials that the desk operator types for a registration: shown for 60 s, each view audited, deleted with the order. */
export function AccountReveal({ id }: { readonly id: string }) {
  const t = useTexts(serviceDeskTexts)
  const { run, isRunning, failure } = useSubmit()
  const [shown, setShown] = useState<{ readonly account: string; readonly password: string; readonly until: number }>()
  const open = () =>
    void run(async () => {
      const found = await registrationDeskApi.registrationReveal({ id })
      setShown({ ...found, until: Date.now() + REVEAL_SECONDS * 1000 })
    })
  const hide = () => setShown(undefined)
  return (
    <section aria-label={t('accountTitle')} className="mt-4 grid gap-3 rounded-card border border-line p-3">
      <h3 className="text-13 font-semibold">{t('accountTitle')}</h3>
      {shown ? (
        <>
          <Countdown
            until={shown.until}
            of={REVEAL_SECONDS}
            label={t('revealLeft')}
            say={(seconds) => t('revealIn', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })}
            onEnd={hide}
          />
          <dl className="grid gap-2">
            <RevealedField label={t('accountName')} value={shown.account} copy={t('accountCopy')} />
            <RevealedField label={t('accountPassword')} value={shown.password} copy={t('accountPasswordCopy')} />
          </dl>
          <Button variant="secondary" size="sm" className="justify-self-start" onClick={hide}>
            {t('accountHide')}
          </Button>
        </>
      ) : (
        <>
          <p className="text-13 text-fg-2">{t('accountAbout')}</p>
          {failure ? (
            <p role="alert" className="text-13 text-danger">
              {failure.message}
            </p>
          ) : null}
          <Button variant="secondary" size="sm" className="justify-self-start" loading={isRunning} onClick={open}>
            {t('accountDo')}
          </Button>
        </>
      )}
    </section>
  )
}

function RevealedField({ label, value, copy }: { readonly label: string; readonly value: string; readonly copy: string }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <dt className="w-20 shrink-0 text-13 text-fg-2">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
        <span className="num min-w-0 text-14 font-medium break-all whitespace-normal">{value}</span>
        <CopyButton iconOnly text={value} label={copy} />
      </dd>
    </div>
  )
}
