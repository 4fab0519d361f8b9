import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd, displayShortUsd } from '#platform/web/money.tsx'
import { Meter } from '#ui/figures/meter.tsx'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { computeBudgetShare, resolveApiKeyState } from './key-state.ts'
import { toLastDay } from './limits-form.ts'

/** A key's limits in its row: how much of its budgets is used, and the others in a line. */
export function KeyLimitUse({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  const { limits, use } = row
  if (limits === null) return <span className="text-fg-3">{t('limitNone')}</span>
  // the row's badge has the day already
  const isSaid = ['expires', 'expired'].includes(resolveApiKeyState(row, Date.now()).kind)
  const facts = [
    limits.requestsPerMinute === null ? '' : t('limitFact_requests', { count: formatCount(limits.requestsPerMinute) }),
    limits.tokensPerMinute === null ? '' : t('limitFact_tokens', { count: formatCount(limits.tokensPerMinute) }),
    limits.concurrency === null ? '' : t('limitFact_concurrency', { count: formatCount(limits.concurrency) }),
    limits.models.length === 0 ? '' : limits.models.length === 1 ? limits.models[0]! : t('limitFact_models', { count: limits.models.length }),
    limits.networks.length === 0 ? '' : limits.networks.length === 1 ? limits.networks[0]! : t('limitFact_networks', { count: limits.networks.length }),
    limits.onDisconnect === 'drain' ? t('limitFact_drain') : '',
    limits.expiresAt === null || isSaid ? '' : t('limitFact_until', { day: toLastDay(limits.expiresAt) }),
  ].filter(Boolean)
  return (
    <div className="grid min-w-40 gap-1.5 text-13 mobile:w-56">
      {limits.dayBudget === null ? null : <Budget label={t('limitBar_day')} used={use?.dayAmount ?? '0'} of={limits.dayBudget} />}
      {limits.monthBudget === null ? null : <Budget label={t('limitBar_month')} used={use?.monthAmount ?? '0'} of={limits.monthBudget} />}
      {facts.length ? <p className="text-fg-2 [overflow-wrap:anywhere]">{facts.join(' · ')}</p> : null}
    </div>
  )
}

/** The digits that a small amount needs: 60 % of a cent is not nothing. */
function Budget({ label, used, of }: { readonly label: string; readonly used: string; readonly of: string }) {
  return <Meter label={label} used={displayShortUsd(used, 'spent')} of={displayUsd(of)} share={computeBudgetShare(used, of)} />
}
