import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { Countdown } from '#ui/time/countdown.tsx'
import { runWithStepUp } from '../kit/command/step-up-store.ts'
import { upgradeDeskApi } from './api.ts'
import { serviceDeskTexts } from './texts.ts'

type CardRevealStep =
  | { readonly step: 'closed' }
  | { readonly step: 'open'; readonly url: string; readonly until: number; readonly of: number; readonly address: readonly string[] }
  | { readonly step: 'over' }

/** Shows the customer's card in the issuer's frame, once per order. The number never reaches this page, and closing discards it. */
export function CardReveal({ id }: { readonly id: string }) {
  const t = useTexts(serviceDeskTexts)
  const [look, setLook] = useState<CardRevealStep>({ step: 'closed' })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const open = async () => {
    if (!(await confirm({ title: t('revealAsk'), body: t('revealAskBody'), action: t('revealYes'), cancel: t('revealNo') }))) return
    setBusy(true)
    setProblem('')
    try {
      const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
      const { url, expiresTime, billingAddress: at } = await runWithStepUp(() => upgradeDeskApi.upgradeReveal({ id, theme }))
      const until = Date.parse(expiresTime)
      const address = at ? [at.line1, at.line2, at.city, at.state, at.postalCode, at.country].filter(Boolean) : []
      setLook({ step: 'open', url, address, until, of: Math.max(1, Math.round((until - Date.now()) / 1000)) })
    } catch (error) {
      setProblem(isApiError(error) ? error.message : t('revealFailed'))
    } finally {
      setBusy(false)
    }
  }
  const over = () => setLook({ step: 'over' })
  return (
    <section aria-label={t('revealTitle')} className="mt-4 grid gap-3 rounded-card border border-line p-3">
      <h3 className="text-13 font-semibold">{t('revealTitle')}</h3>
      {look.step === 'open' ? (
        <>
          <Countdown
            until={look.until}
            of={look.of}
            label={t('revealLeft')}
            say={(seconds) => t('revealIn', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })}
            onEnd={over}
          />
          <iframe
            src={look.url}
            title={t('revealFrame')}
            width={348}
            height={152}
            sandbox="allow-scripts allow-same-origin"
            allow="clipboard-write"
            referrerPolicy="origin"
            className="block h-[152px] w-full border-0"
          />
          <dl className="text-13">
            <dt className="text-fg-3">{t('revealAddress')}</dt>
            <dd>{look.address.length ? look.address.join(', ') : t('revealNoAddress')}</dd>
          </dl>
          <Button variant="secondary" size="sm" className="justify-self-start" onClick={over}>
            {t('revealHide')}
          </Button>
        </>
      ) : look.step === 'over' ? (
        <p className="text-13 text-fg-2">{t('revealOver')}</p>
      ) : (
        <>
          <p className="text-13 text-fg-2">{t('revealAbout')}</p>
          {problem ? (
            <p role="alert" className="text-13 text-danger">
              {problem}
            </p>
          ) : null}
          <Button variant="secondary" size="sm" className="justify-self-start" loading={busy} onClick={() => void open()}>
            {t('revealDo')}
          </Button>
        </>
      )}
    </section>
  )
}
