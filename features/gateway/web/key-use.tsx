import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import type { KeyRow } from '../contract.ts'
import { gatewayTexts } from '../texts.ts'
import { countText } from './figures.ts'
import { lastDayOf } from './limits-form.ts'

/** A key's limits in its row: how much of its budgets is used, and the others in a line. */
export function KeyUse({ row }: { readonly row: KeyRow }) {
  const t = useTexts(gatewayTexts)
  const { limits, use } = row
  if (limits === null) return <span className="text-fg-3">{t('limitNone')}</span>
  const facts = [
    limits.requestsPerMinute === null ? '' : t('limitFact_requests', { count: countText(limits.requestsPerMinute) }),
    limits.tokensPerMinute === null ? '' : t('limitFact_tokens', { count: countText(limits.tokensPerMinute) }),
    limits.concurrency === null ? '' : t('limitFact_concurrency', { count: countText(limits.concurrency) }),
    limits.models.length === 0 ? '' : limits.models.length === 1 ? limits.models[0]! : t('limitFact_models', { count: limits.models.length }),
    limits.networks.length === 0 ? '' : limits.networks.length === 1 ? limits.networks[0]! : t('limitFact_networks', { count: limits.networks.length }),
    limits.onDisconnect === 'drain' ? t('limitFact_drain') : '',
  ].filter(Boolean)
  const isOver = limits.expiresAt !== null && Date.parse(limits.expiresAt) <= Date.now()
  return (
    <div className="grid min-w-44 gap-1.5 text-13 mobile:w-56">
      {limits.dayBudget === null ? null : <Budget label={t('limitBar_day')} used={use?.dayAmount ?? '0'} of={limits.dayBudget} />}
      {limits.monthBudget === null ? null : <Budget label={t('limitBar_month')} used={use?.monthAmount ?? '0'} of={limits.monthBudget} />}
      {limits.expiresAt === null ? null : (
        <p className={isOver ? 'text-danger' : 'text-fg-2'}>{t(isOver ? 'limitFact_expired' : 'limitFact_until', { day: lastDayOf(limits.expiresAt) })}</p>
      )}
      {facts.length ? <p className="text-fg-2 [overflow-wrap:anywhere]">{facts.join(' · ')}</p> : null}
    </div>
  )
}

/** Used of a budget. The bar says it again for the eye; colours are never alone. */
function Budget({ label, used, of }: { readonly label: string; readonly used: string; readonly of: string }) {
  const share = Math.min(1, Number(used) / Number(of))
  const tone = share >= 1 ? 'bg-danger' : share >= 0.8 ? 'bg-warning' : 'bg-brand'
  return (
    <div>
      <p className="flex justify-between gap-3 whitespace-nowrap">
        <span className="text-fg-2">{label}</span>
        <span className="num">
          {usdDisplay(used)}
          <span className="text-fg-3"> / {usdDisplay(of)}</span>
        </span>
      </p>
      <div className="mt-1 h-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <div className={`h-full ${tone}`} style={{ width: `${Math.max(share > 0 ? 2 : 0, share * 100)}%` }} />
      </div>
    </div>
  )
}
