import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { gatewayTexts } from '../../texts.ts'
import type { useAlerts } from './use-alerts.ts'

const HOOK_TEXT = { 'balance.low': 'hook_balance.low', 'key.budget': 'hook_key.budget', 'test': 'hook_test' } as const
const HOOK_STATE_TEXT = { waiting: 'hookState_waiting', sent: 'hookState_sent', failed: 'hookState_failed' } as const
const HOOK_PROBLEM_TEXT = {
  status: 'hookProblem_status',
  silent: 'hookProblem_silent',
  connection: 'hookProblem_connection',
  name: 'hookProblem_name',
  address: 'hookProblem_address',
  removed: 'hookProblem_removed',
  frozen: 'hookProblem_frozen',
  crowded: 'hookProblem_crowded',
} as const

type Deliveries = NonNullable<ReturnType<typeof useAlerts>['saved']>['deliveries']

/** Results of the latest webhook deliveries. */
export function AlertDeliveries({ deliveries }: { readonly deliveries: Deliveries }) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="mt-4 border-t border-dashed border-line pt-4">
      <h3 className="text-14 font-medium">{t('alertDeliveries')}</h3>
      <ul className="mt-2 grid gap-2 text-13">
        {deliveries.map((one, at) => (
          <li key={`${one.at} ${at}`} className="flex flex-wrap items-baseline gap-x-3">
            <Time at={one.at} />
            <span>{t(HOOK_TEXT[one.event])}</span>
            <span className={one.state === 'failed' ? 'text-danger' : 'text-fg-2'}>{t(HOOK_STATE_TEXT[one.state])}</span>
            {one.attempts > 1 ? <span className="text-fg-3">{t('hookTries', { count: one.attempts })}</span> : null}
            {one.problem === null ? null : (
              <span className="text-fg-3 [overflow-wrap:anywhere]">{t(HOOK_PROBLEM_TEXT[one.problem.code], { detail: one.problem.detail })}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
