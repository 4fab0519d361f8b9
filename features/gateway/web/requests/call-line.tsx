import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { CallSummary } from '../../contract-usage.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatCallCost } from '../figures.ts'
import { GATEWAY_MEASURED_TEXT, CALL_OUTCOME_TEXT } from '../../state-texts.ts'

interface CallLineProps {
  readonly row: CallSummary
  /** Shows the model, for lists of several models. */
  readonly withModel?: boolean
  readonly onCall: (callId: string) => void
}

/** A call in a list; opens its receipt on click. */
export function CallLine({ row, withModel = false, onCall }: CallLineProps) {
  const t = useTexts(gatewayTexts)
  const good = row.outcome === 'completed'
  return (
    <li>
      <button
        type="button"
        aria-label={t('callOpen', { id: row.callId })}
        onClick={() => onCall(row.callId)}
        className="flex w-full flex-wrap items-baseline gap-x-5 gap-y-0.5 rounded-tag px-2 py-2.5 text-left text-13 -outline-offset-2 hover:bg-surface"
      >
        <Time at={row.startedAt} show="second" className="text-fg-2 mobile:order-3" />
        {withModel ? (
          <span className="inline-flex min-w-0 items-center gap-2 [overflow-wrap:anywhere] desktop:w-56 mobile:order-1 mobile:basis-[calc(100%-7.5rem)]">
            <VendorDot vendor={row.vendor} />
            <span>
              {row.model}
              {row.askedModel === null ? null : <span className="block text-12 text-fg-3">{t('callAskedFor', { model: row.askedModel })}</span>}
            </span>
          </span>
        ) : null}
        <span className="min-w-0 flex-1 truncate text-fg-2 mobile:order-4 mobile:min-w-36">
          {row.keyName}
          {withModel || row.askedModel === null ? null : ` · ${t('callAskedFor', { model: row.askedModel })}`}
        </span>
        <span className="num text-fg-3 mobile:order-5">
          {row.measured
            ? t(GATEWAY_MEASURED_TEXT[row.measured.kind], { count: formatCount(row.measured.count) })
            : `${t('colIn')} ${formatCount(row.inputTokens)} · ${t('colOut')} ${formatCount(row.outputTokens)}`}
        </span>
        {good ? null : <span className="text-warning mobile:order-6">{t(getOutcomeTextKey(row))}</span>}
        <span className={`num ml-auto min-w-20 text-right font-medium ${withModel ? 'mobile:order-2' : 'mobile:order-7'}`}>{formatCallCost(row.amount)}</span>
      </button>
    </li>
  )
}

/** Text key of an outcome; a failure without cost has its own. */
export function getOutcomeTextKey({ outcome, amount }: Pick<CallSummary, 'outcome' | 'amount'>) {
  return outcome === 'upstream_failed' && amount !== '0' ? 'out_upstream_failed_paid' : CALL_OUTCOME_TEXT[outcome]
}
