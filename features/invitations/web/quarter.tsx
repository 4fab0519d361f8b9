import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { InvitationInfo } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'

/** How many of this quarter, which rate they have, and how many are missing to the next. Shown while the rules have tiers. */
export function Quarter({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const { quarter, rules } = info
  const tiers = rules.tiers ?? []
  const last = tiers.at(-1)?.from ?? 1
  const share = Math.min(1, quarter.number / last)
  return (
    <section aria-label={t('quarter')}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-16 font-bold">{t('quarter')}</h2>
        <p className="text-13 text-fg-2">
          {t('quarter_span', { from: quarter.from.slice(5), to: quarter.to.slice(5), count: String(quarter.number) })}
          {quarter.next ? ` ${t('quarter_next', { count: String(quarter.next.missing) })}` : ''}
        </p>
      </div>
      <div className="relative mt-3 h-1.5 rounded-full bg-line" aria-hidden="true">
        <div className="h-full rounded-full bg-brand" style={{ width: `${share * 100}%` }} />
        {tiers.slice(1).map(({ from }) => (
          <span key={from} className="absolute -top-1 h-3.5 w-0.5 bg-fg-3" style={{ left: `calc(${(from / last) * 100}% - 2px)` }} />
        ))}
      </div>
      <ul className="mt-2 flex justify-between gap-x-4 text-13 text-fg-2 mobile:flex-col mobile:gap-y-0.5">
        {tiers.map(({ from, reward }, at) => (
          <li key={from} className={reward === quarter.rate ? 'text-brand-text' : ''}>
            <span className="num font-semibold">{displayUsd(reward)}</span>{' '}
            {tiers[at + 1] ? t('tier_span', { from: String(from), to: String(tiers[at + 1]!.from - 1) }) : t('tier_from', { from: String(from) })}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-13 text-fg-2">{t('quarter_about')}</p>
    </section>
  )
}
