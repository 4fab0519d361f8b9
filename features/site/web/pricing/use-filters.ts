import { useQueryParam } from '#platform/web/state/url-state.ts'
import type { PriceCurrency } from '../price-figures.ts'
import { CAPABILITIES, parseListParam, SORTS, findVendorId, type Filter, type Sort } from './filters.ts'

export type PricingView = 'table' | 'cards'
export const MAX_COMPARED = 3

/** Keeps all state of the list in the address, so that a link shows the same list to every reader. */
export function usePricingFilters() {
  const [text, setText] = useQueryParam<string>('q', '')
  const [wanted, setVendor] = useQueryParam<string>('vendor', '')
  const [caps, setCaps] = useQueryParam<string>('cap', '')
  const [asked, setSort] = useQueryParam<string>('sort', 'default')
  const [unit, setUnit] = useQueryParam<string>('cur', 'usd')
  const [view, setView] = useQueryParam<string>('view', 'table')
  const [model, setModel] = useQueryParam<string>('model', '')
  const [compared, setCompared] = useQueryParam<string>('compare', '')
  const capabilities = parseListParam(caps, CAPABILITIES)
  const vendor = findVendorId(wanted)
  const sort = SORTS.find((one) => one === asked) ?? 'default'
  const compare = compared.split(',').filter(Boolean).slice(0, MAX_COMPARED)
  const toggled = <T extends string>(list: readonly T[], one: T) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]).join(',')
  const filter: Filter = { text, vendor, capabilities, sort }
  return {
    filter,
    unit: (unit === 'cny' ? 'cny' : 'usd') satisfies PriceCurrency as PriceCurrency,
    view: (view === 'cards' ? 'cards' : 'table') satisfies PricingView as PricingView,
    model,
    compare,
    isFiltered: Boolean(text || vendor || capabilities.length),
    setText,
    setVendor,
    setSort: setSort as (sort: Sort) => void,
    setUnit: setUnit as (unit: PriceCurrency) => void,
    setView: setView as (view: PricingView) => void,
    setModel,
    setCompared,
    toggleCapability: (one: (typeof CAPABILITIES)[number]) => setCaps(toggled(capabilities, one)),
    toggleCompared: (id: string) => setCompared(toggled(compare, id)),
  }
}
export type PricingFilters = ReturnType<typeof usePricingFilters>
