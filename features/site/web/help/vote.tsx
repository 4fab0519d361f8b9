import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import type { HelpAnswer } from '../../contract.ts'
import type { HelpSlug } from '../../help-articles.ts'
import { helpTexts } from '../../help-texts.ts'

const WHY_TEXT = { wrong: 'why_wrong', unclear: 'why_unclear', missing: 'why_missing' } as const

const REASONS = ['unclear', 'wrong', 'missing'] as const
type Step = 'ask' | 'why' | 'thanks'

/** Asks if the article helped, and after a no for the reason. Use the article as its key, so that each article asks again. */
export function Vote({ article }: { readonly article: HelpSlug }) {
  const t = useTexts(helpTexts)
  const [step, setStep] = useState<Step>('ask')
  const [sending, setSending] = useState<HelpAnswer>()
  const [failed, setFailed] = useState(false)
  const send = async (answer: HelpAnswer, then: Step) => {
    setSending(answer)
    setFailed(false)
    try {
      const { sitePublicApi } = await import('../public-api.ts')
      await sitePublicApi.helpVote({ article, answer })
      setStep(then)
    } catch {
      setFailed(true)
    } finally {
      setSending(undefined)
    }
  }
  const option = (answer: HelpAnswer, label: string, then: Step) => (
    <Button
      key={answer}
      size="sm"
      variant="secondary"
      loading={sending === answer}
      disabled={sending !== undefined && sending !== answer}
      onClick={() => void send(answer, then)}
    >
      {label}
    </Button>
  )
  return (
    <section aria-label={t('helpful')} className="mt-12 border-t border-line pt-6 no-print">
      <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-3" aria-live="polite">
        {step === 'ask' ? (
          <>
            <p className="font-semibold">{t('helpful')}</p>
            <div className="flex gap-2">
              {option('yes', t('helpfulYes'), 'thanks')}
              {option('no', t('helpfulNo'), 'why')}
            </div>
          </>
        ) : step === 'why' ? (
          <>
            <p className="font-semibold">{t('helpfulWhy')}</p>
            <div className="flex flex-wrap gap-2">{REASONS.map((reason) => option(reason, t(WHY_TEXT[reason]), 'thanks'))}</div>
          </>
        ) : (
          <p className="flex items-center gap-2 text-fg-2">
            <Check size={18} strokeWidth={1.75} className="text-success" aria-hidden="true" />
            {t('helpfulThanks')}
          </p>
        )}
        {failed ? <p className="text-14 text-danger">{t('helpfulFailed')}</p> : null}
      </div>
    </section>
  )
}
