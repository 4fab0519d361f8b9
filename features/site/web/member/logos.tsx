import { useTexts } from '#platform/web/i18n.ts'
import type { Logo } from '../../contract.ts'
import { firstTexts } from '../../first-texts.ts'
import { siteTexts } from '../../texts.ts'
import { Marquee } from './marquee.tsx'

/** Companies chosen by operators, as logos or set names. */
export function Logos({ logos }: { readonly logos: readonly Logo[] }) {
  const t = useTexts(siteTexts)
  const f = useTexts(firstTexts)
  return (
    <section aria-label={t('logos_title')} className="border-b border-line bg-sunken">
      <Marquee label={t('logos_title')} seconds={60}>
        {logos.map((logo) => (
          <li key={logo.name} className="flex h-20 shrink-0 items-center px-9 text-20 font-semibold whitespace-nowrap text-fg-3">
            {logo.image ? <img src={logo.image} alt={logo.name} height={28} className="h-7 w-auto" loading="lazy" /> : logo.name}
            {logo.sample ? <span className="tag ml-2">{f('tape_sample')}</span> : null}
          </li>
        ))}
      </Marquee>
    </section>
  )
}
