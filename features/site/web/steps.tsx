import { useTexts } from '#platform/web/i18n.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { siteTexts } from '../texts.ts'
import { MAX_RECHARGE, MIN_RECHARGE } from './sample.ts'
import { Section } from './section.tsx'
import { snippets } from './snippets.ts'

const steps = ['step_1', 'step_2', 'step_3'] as const

export function Steps() {
  const t = useTexts(siteTexts)
  return (
    <Section id="start" title={t('step_title')}>
      <div className="grid gap-10 desktop:grid-cols-[minmax(0,.8fr)_minmax(0,1.2fr)] mobile:gap-8">
        <ol className="border-t-2 border-fg">
          {steps.map((key, index) => (
            <li key={key} className="flex gap-5 border-b border-line py-5">
              <span className="num pt-px text-20 font-semibold text-brand-text" aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3 className="text-18 font-bold">{t(key)}</h3>
                <p className="mt-0.5 text-fg-2">{t(`${key}_body`, { min: MIN_RECHARGE, max: MAX_RECHARGE })}</p>
              </div>
            </li>
          ))}
        </ol>
        <CodeBlock label={t('step_code')} snippets={snippets(location.origin)} className="self-start" />
      </div>
    </Section>
  )
}
