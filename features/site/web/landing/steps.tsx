import { Link } from '@tanstack/react-router'
import { TALKING } from '#features/gateway/web/door.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { siteTexts } from '../../texts.ts'
import { everydayModel } from '../price-figures.ts'
import { usePrices, useSiteInfo } from '../use-prices.ts'
import { Section } from './section.tsx'
import { isOwn, snippets } from './snippets.ts'

const steps = [
  ['step_1', 'step_1_body'],
  ['step_2', 'step_2_body'],
  ['step_3', 'step_3_body'],
] as const

export function Steps() {
  const t = useTexts(siteTexts)
  const rows = usePrices().data?.rowList ?? []
  const info = useSiteInfo().data
  const model = ({ id }: { readonly id: string }) => everydayModel(rows, id)?.modelValue ?? ''
  return (
    <Section id="start" title={t('step_title')}>
      <div className="grid gap-10 desktop:grid-cols-[minmax(0,.8fr)_minmax(0,1.2fr)] mobile:gap-8">
        <ol className="self-start border-t-2 border-fg">
          {steps.map(([key, body], index) => (
            <li key={key} className="flex gap-5 border-b border-line py-5">
              <span className="num pt-px text-20 font-semibold text-brand-text" aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3 className="text-18 font-bold">{t(key)}</h3>
                <p className="mt-0.5 text-fg-2">{t(body, { min: info?.minRecharge ?? '–', max: info?.maxRecharge ?? '–' })}</p>
              </div>
            </li>
          ))}
        </ol>
        <div className="min-w-0">
          <CodeBlock
            remembered
            label={t('step_code')}
            snippets={snippets(site.origin, model(TALKING[0]), model(TALKING.find((one) => isOwn(one, 'claude-code')) ?? TALKING[0]))}
            className="desktop:min-h-[312px]"
          />
          <p className="mt-3 text-13 text-fg-3">
            {t('step_more')}{' '}
            <Link to="/help/$slug" params={{ slug: 'quick-start' }} className="link">
              {t('step_help')}
            </Link>
          </p>
        </div>
      </div>
    </Section>
  )
}
