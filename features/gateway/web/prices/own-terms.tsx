import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { ModelRow, gatewayContract } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'

type Term = ReplyOf<(typeof gatewayContract)['ownPrices']>['terms'][number]

/** Negotiated terms above the price list: current ones first, then upcoming. */
export function OwnTerms({ terms }: { readonly terms: readonly Term[] }) {
  const t = useTexts(gatewayTexts)
  const all = terms.some(({ model }) => model !== null) ? 'ownAll' : 'ownEvery'
  const inOrder = terms.toSorted((a, b) => Number(b.holds) - Number(a.holds) || a.from.localeCompare(b.from) || (a.model ?? '').localeCompare(b.model ?? ''))
  return (
    <section className="card mb-4 px-4 py-3" aria-labelledby="own-terms">
      <h2 id="own-terms" className="text-14 font-semibold">
        {t('ownTitle')}
      </h2>
      <ul className="mt-1 divide-y divide-line text-14">
        {inOrder.map(({ model, percent, from, holds }) => (
          <li key={`${model ?? ''} ${from}`} className="flex flex-wrap items-baseline gap-x-4 py-1.5">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere] mobile:basis-full">{model ? <code className="num">{model}</code> : t(all)}</span>
            <span className={`tabular ${holds ? 'font-semibold' : 'text-fg-2'}`}>{percent === '100' ? t('ownList') : t('ownPercent', { percent })}</span>
            <span className="text-13 text-fg-3 tabular">{t(holds ? 'ownSince' : 'ownFrom', { at: displayTime(from) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Marks a model whose price the caller negotiated. */
export function OwnBadge({ row: { percent } }: { readonly row: ModelRow }) {
  const t = useTexts(gatewayTexts)
  return percent === undefined ? null : <Badge tone="success">{t('ownBadge', { percent })}</Badge>
}
