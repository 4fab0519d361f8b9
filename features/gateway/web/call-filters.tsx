import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/url-state.ts'
import { PickField } from '#ui/pick-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { gatewayTexts } from '../texts.ts'
import { amountIn } from './call-list.tsx'
import { usePrices } from './queries.ts'
import type { Series } from './usage-bars.ts'

const ALL = 'all'
const OUTCOMES = ['completed', 'not_completed', 'client_gone', 'upstream_failed', 'upstream_cut'] as const

/** Model, outcome and least amount of single calls, in the URL. */
export function useCallFilters() {
  const [model, setModel] = useQueryParam<string>('model', '')
  const [asked, setOutcome] = useQueryParam<string>('outcome', '')
  const [least, setLeast] = useQueryParam<string>('min', '')
  const outcome = OUTCOMES.find((one) => one === asked)
  const minAmount = amountIn(least)
  return {
    model,
    setModel,
    outcome,
    setOutcome,
    least,
    setLeast,
    isBad: least !== '' && minAmount === undefined && !/^0*\.?0*$/.test(least),
    isSet: Boolean(model || outcome || minAmount),
    wish: { ...(model ? { model } : {}), ...(outcome ? { outcome } : {}), ...(minAmount ? { minAmount } : {}) },
  }
}

interface CallFiltersProps {
  readonly filters: ReturnType<typeof useCallFilters>
  /** Those of the chart: models of the range, where it is by model; else every model is offered. */
  readonly models: Series['groups']
  readonly group: 'model' | 'key'
}

export function CallFilters({ filters, models, group }: CallFiltersProps) {
  const t = useTexts(gatewayTexts)
  const prices = usePrices()
  const names = group === 'model' ? models.map((one) => one.name) : (prices.data?.rowList ?? []).map((one) => one.modelValue)
  const listed = filters.model && !names.includes(filters.model) ? [filters.model, ...names] : names
  return (
    <div className="grid gap-3 desktop:grid-cols-[minmax(0,260px)_minmax(0,200px)_minmax(0,200px)] mobile:grid-cols-2">
      {listed.length ? (
        <PickField
          label={t('colModelName')}
          className="mobile:col-span-2"
          options={[{ value: ALL, label: t('modelAll') }, ...listed.map((value) => ({ value, label: value }))]}
          value={filters.model || ALL}
          onChange={(value) => filters.setModel(value === ALL ? '' : value)}
        />
      ) : null}
      <PickField
        label={t('callStatus')}
        options={[{ value: ALL, label: t('outcomeAll') }, ...OUTCOMES.map((value) => ({ value, label: t(`filter_${value}`) }))]}
        value={filters.outcome ?? ALL}
        onChange={(value) => filters.setOutcome(value === ALL ? '' : value)}
      />
      <TextField
        label={t('minAmount')}
        value={filters.least}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.01"
        error={filters.isBad ? t('minAmountBad') : undefined}
        onChange={(event) => filters.setLeast(event.target.value.trim().slice(0, 20))}
      />
    </div>
  )
}
