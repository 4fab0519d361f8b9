import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import type { RequestState } from '../../contract-requests.ts'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { useModelPrices } from '../queries.ts'
import { RANGE_NAMES } from '../use-range.ts'
import { IN_PROGRESS, type RequestFilters } from './use-request-filters.ts'
import { GATEWAY_STATE_TEXT, GATEWAY_RANGE_TEXT } from '../../state-texts.ts'

const ALL = 'all'
const CHIPS = ['completed', 'client_gone', 'upstream_failed', 'upstream_cut', 'refused', IN_PROGRESS] as const
type Chip = RequestState | typeof IN_PROGRESS
type Counts = Readonly<Record<Chip | 'all', number>>

interface RequestBarProps {
  readonly filters: RequestFilters
  readonly keys: readonly ApiKeyRow[]
  /** undefined while loading, and when an amount or id narrows the list: counts support neither filter. */
  readonly counts: Counts | undefined
}

/** Filters by state, with counts that add up to the first; then by days, keys and models, and a field for an id or an amount. */
export function RequestBar({ filters, keys, counts }: RequestBarProps) {
  const t = useTexts(gatewayTexts)
  const models = [...new Set([...(filters.model ? [filters.model] : []), ...(useModelPrices().data?.rowList ?? []).map((row) => row.modelValue)])]
  const { days } = filters
  const count = (name: keyof Counts) => (counts ? <span className="num ml-1 text-12 text-fg-3">{formatCount(counts[name])}</span> : null)
  const chip = (name: keyof Counts) => ({
    value: name as string,
    label: (
      <>
        {t(name === 'all' ? 'outcomeAll' : GATEWAY_STATE_TEXT[name])}
        {count(name)}
      </>
    ),
  })
  const named = RANGE_NAMES.filter((name) => name !== 'own' || days.name === 'own')
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      {/* a line of their own: counts grow, and the fields below stay where they are */}
      <div className="max-w-full basis-full">
        <Segmented
          label={t('callStatus')}
          value={filters.isOpenOnly ? IN_PROGRESS : (filters.state ?? ALL)}
          onChange={(value) => filters.setState(value === ALL ? '' : value)}
          items={[chip('all'), ...CHIPS.map(chip)]}
        />
      </div>
      <PickField
        label={t('periodLabel')}
        hideLabel
        className="w-32 mobile:w-[calc(50%-5px)]"
        options={named.map((value) => ({ value: value as string, label: value === 'own' ? formatOwnRange(days.range) : t(GATEWAY_RANGE_TEXT[value]) }))}
        value={days.name as string}
        onChange={(value) => days.setName(RANGE_NAMES.find((name) => name === value) ?? 'days30')}
      />
      <PickField
        label={t('keyFilter')}
        hideLabel
        className="w-36 mobile:w-[calc(50%-5px)]"
        options={[{ value: ALL, label: t('keyFilterAll') }, ...keys.map((key) => ({ value: key.keyId, label: key.keyName }))]}
        value={filters.keyId || ALL}
        onChange={(value) => filters.setKeyId(value === ALL ? '' : value)}
      />
      <PickField
        label={t('colModelName')}
        hideLabel
        className="w-40 mobile:w-full"
        options={[{ value: ALL, label: t('modelAll') }, ...models.map((value) => ({ value, label: value }))]}
        value={filters.model || ALL}
        onChange={(value) => filters.setModel(value === ALL ? '' : value)}
      />
      <FindField value={filters.typed} onChange={filters.setTyped} />
    </div>
  )
}

const formatOwnRange = ({ from, to }: { readonly from: string; readonly to: string }) => (from === to ? from.slice(5) : `${from.slice(5)} – ${to.slice(5)}`)
const QUIET_MS = 300

/** Search field; the typed text is written to the URL after a debounce. */
function FindField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const t = useTexts(gatewayTexts)
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onChange(typed.trim().slice(0, 80)), QUIET_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <div className="relative min-w-44 flex-1 desktop:max-w-72 mobile:w-full mobile:flex-none">
      <Search size={16} strokeWidth={1.75} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-fg-3" />
      <input
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        aria-label={t('findLabel')}
        placeholder={t('findHint')}
        autoComplete="off"
        spellCheck={false}
        className="input pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed ? (
        <button type="button" className="icon-btn absolute top-1/2 right-0.5 -translate-y-1/2" aria-label={t('clearFilters')} onClick={() => setTyped('')}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      ) : null}
    </div>
  )
}
