import { useQueryParam } from '#platform/web/state/url-state.ts'
import type { Unit } from '../price-figures.ts'
import { CAPABILITIES, listed, SORTS, vendorOf, type Filter, type Sort } from './filters.ts'

export type View = 'table' | 'cards'
export const MOST_COMPARED = 3

/** Everything about the list is in the address: a link shows the same to everybody. */
export function useFilters() {
  const [text, setText] = useQueryParam<string>('q', '')
  const [wanted, setVendor] = useQueryParam<string>('vendor', '')
  const [caps, setCaps] = useQueryParam<string>('cap', '')
  const [asked, setSort] = useQueryParam<string>('sort', 'default')
  const [unit, setUnit] = useQueryParam<string>('cur', 'usd')
  const [view, setView] = useQueryParam<string>('view', 'table')
  const [model, setModel] = useQueryParam<string>('model', '')
  const [compared, setCompared] = useQueryParam<string>('compare', '')
  const capabilities = listed(caps, CAPABILITIES)
  const vendor = vendorOf(wanted)
  const sort = SORTS.find((one) => one === asked) ?? 'default'
  const compare = compared.split(',').filter(Boolean).slice(0, MOST_COMPARED)
  const toggled = <T extends string>(list: readonly T[], one: T) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]).join(',')
  const filter: Filter = { text, vendor, capabilities, sort }
  return {
    filter,
    unit: (unit === 'cny' ? 'cny' : 'usd') satisfies Unit as Unit,
    view: (view === 'cards' ? 'cards' : 'table') satisfies View as View,
    model,
    compare,
    isFiltered: Boolean(text || vendor || capabilities.length),
    setText,
    setVendor,
    setSort: setSort as (sort: Sort) => void,
    setUnit: setUnit as (unit: Unit) => void,
    setView: setView as (view: View) => void,
    setModel,
    setCompared,
    toggleCapability: (one: (typeof CAPABILITIES)[number]) => setCaps(toggled(capabilities, one)),
    toggleCompared: (id: string) => setCompared(toggled(compare, id)),
  }
}
export type Filters = ReturnType<typeof useFilters>
