import { ChevronDown, LayoutGrid, Rows3, Search } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { ModelRow } from '#features/gateway/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SHOWN_VENDORS } from '#features/gateway/web/door.ts'
import { pricingTexts } from '../../pricing-texts.ts'
import { UnitToggle } from '../unit-toggle.tsx'
import { CAPABILITIES, SORTS, type Sort } from './filters.ts'
import type { PricingFilters } from './use-filters.ts'
import { SITE_CAP_TEXT } from '../../pricing-state-texts.ts'

const SORT_TEXT = { default: 'sort_default', price: 'sort_price', context: 'sort_context', newest: 'sort_newest' } as const

interface BarProps {
  readonly filters: PricingFilters
  readonly all: readonly ModelRow[]
  /** Models that match the text and the capabilities, for the counts by vendor. */
  readonly left: readonly ModelRow[]
}

export function PricingFilterBar({ filters, all, left }: BarProps) {
  const t = useTexts(pricingTexts)
  const { filter, unit, view } = filters
  const used = CAPABILITIES.filter((one) => all.some((row) => row.capabilities.includes(one)))
  const icon = { 'size': 16, 'strokeWidth': 1.75, 'aria-hidden': true } as const
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox value={filter.text} onChange={filters.setText} />
        <Segmented
          label={t('vendor')}
          value={filter.vendor}
          onChange={filters.setVendor}
          items={[
            { value: '', label: t('vendor_all'), count: left.length },
            ...SHOWN_VENDORS.map(({ id, label }) => ({ value: id, label, count: left.filter((row) => row.vendor === id).length })),
          ]}
        />
      </div>
      <div role="group" aria-label={t('capability')} className="flex flex-wrap gap-2">
        {used.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={filter.capabilities.includes(one)}
            onClick={() => filters.toggleCapability(one)}
            className="inline-flex min-h-8 items-center rounded-full border border-line bg-surface px-3 text-13 text-fg-2 hover:border-control aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-text mobile:min-h-[44px]"
          >
            {t(SITE_CAP_TEXT[one])}
          </button>
        ))}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <label className="inline-flex items-center gap-2 text-13 text-fg-2">
          {t('sort')}
          <span className="relative">
            <select
              className="input w-auto cursor-pointer appearance-none py-1 pr-9 text-13 desktop:min-h-9"
              value={filter.sort}
              onChange={(event) => filters.setSort(event.target.value as Sort)}
            >
              {SORTS.map((one) => (
                <option key={one} value={one}>
                  {t(SORT_TEXT[one])}
                </option>
              ))}
            </select>
            <ChevronDown {...icon} className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2" />
          </span>
        </label>
        <div className="flex items-center gap-3">
          <UnitToggle value={unit} onChange={filters.setUnit} />
          <Segmented
            className="mobile:hidden"
            label={t('view')}
            value={view}
            onChange={filters.setView}
            items={[
              { value: 'table', label: <IconLabel icon={<Rows3 {...icon} />} name={t('view_table')} /> },
              { value: 'cards', label: <IconLabel icon={<LayoutGrid {...icon} />} name={t('view_cards')} /> },
            ]}
          />
        </div>
      </div>
    </div>
  )
}

function IconLabel({ icon, name }: { readonly icon: ReactNode; readonly name: string }) {
  return (
    <>
      <span className="inline-flex py-[3px]" title={name}>
        {icon}
      </span>
      <span className="sr-only">{name}</span>
    </>
  )
}

/** "/" focuses it from anywhere on the page outside a field. */
function SearchBox({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const t = useTexts(pricingTexts)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <label className="relative w-80 mobile:w-full">
      <span className="sr-only">{t('search')}</span>
      <Search size={16} strokeWidth={1.75} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-fg-3" />
      <input
        ref={field}
        type="search"
        className="input pl-9"
        placeholder={t('search_hint')}
        maxLength={80}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
