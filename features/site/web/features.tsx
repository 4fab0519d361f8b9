import { useTexts } from '#platform/web/i18n.ts'
import { siteTexts } from '../texts.ts'
import { Section } from './section.tsx'

const features = ['feat_limit', 'feat_safe', 'feat_pay', 'feat_new'] as const

/** A ruled row, not cards. */
export function Features() {
  const t = useTexts(siteTexts)
  return (
    <Section id="features" title={t('feat_title')}>
      <ul className="grid border-t-2 border-fg desktop:grid-cols-4">
        {features.map((key) => (
          <li key={key} className="border-line py-6 desktop:border-l desktop:px-5 desktop:first:border-l-0 desktop:first:pl-0 mobile:border-b mobile:py-5">
            <h3 className="text-18 font-bold">{t(key)}</h3>
            <p className="mt-1.5 text-16 text-fg-2">{t(`${key}_body`)}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
