import { Link } from '@tanstack/react-router'
import { CHAT_VENDORS } from '#features/gateway/web/door.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { siteTexts } from '../../texts.ts'
import { pickEverydayModel } from '../price-figures.ts'
import { usePriceList, useSiteInfo } from '../use-prices.ts'
import { Section } from './section.tsx'
import { isOwnClient, buildSnippets } from './snippets.ts'

const steps = [
  ['step_1', 'step_1_body'],
  ['step_2', 'step_2_body'],
  ['step_3', 'step_3_body'],
] as const

export function LandingSteps() {
  const t = useTexts(siteTexts)
  const rows = usePriceList().data?.rowList ?? []
  const info = useSiteInfo().data
  const model = ({ id }: { readonly id: string }) => pickEverydayModel(rows, id)?.modelValue ?? ''
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
            snippets={buildSnippets(site.origin, model(CHAT_VENDORS[0]), model(CHAT_VENDORS.find((one) => isOwnClient(one, 'claude-code')) ?? CHAT_VENDORS[0]))}
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
