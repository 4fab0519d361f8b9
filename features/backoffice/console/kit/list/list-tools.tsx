import { Search, Bookmark, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import type { AddressParams } from '../address.ts'
import { kitTexts } from '../texts.ts'
import type { ListChip, ConsoleListFilter, ListParts, ListView } from './types.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { listFilters } from './use-list.ts'

interface SavedView {
  readonly label: string
  readonly set: AddressParams
}

const YEAR_MS = 31_536_000_000
const storageKey = (name: string) => `views.${name}`

function readSavedViews(name: string): readonly SavedView[] {
  try {
    return JSON.parse(readStored(storageKey(name)) ?? '[]') as SavedView[]
  } catch {
    return []
  }
}

/** Named sets of filters, kept in the browser. A view is a plain URL, so operators can share it as a link. */
function SavedViews({ name, params, set }: { readonly name: string; readonly params: AddressParams; readonly set: (patch: AddressParams) => void }) {
  const t = useTexts(kitTexts)
  const [saved, setSaved] = useState(() => readSavedViews(name))
  const [label, setLabel] = useState<string>()
  const now = listFilters(params)
  const store = (next: readonly SavedView[]) => {
    storeValue(storageKey(name), JSON.stringify(next), YEAR_MS)
    setSaved(next)
  }
  const show = (view: SavedView) => set({ ...Object.fromEntries(Object.keys(params).map((one) => [one, undefined])), ...view.set })
  const current = saved.find((view) => JSON.stringify(view.set) === JSON.stringify(now))
  return (
    <>
      <LazyMenu
        align="start"
        trigger={
          <Button variant="ghost">
            <Bookmark size={14} strokeWidth={1.75} aria-hidden="true" />
            {current?.label ?? t('savedViews')}
          </Button>
        }
        groups={[
          saved.map((view) => ({ key: view.label, label: view.label, onSelect: () => show(view), checked: view === current })),
          [
            {
              key: 'save',
              label: t('saveView'),
              onSelect: () => setLabel(''),
              disabled: !Object.keys(now).length,
              icon: <Bookmark size={14} aria-hidden="true" />,
            },
            ...(current
              ? [
                  {
                    key: 'drop',
                    label: t('dropView', { view: current.label }),
                    onSelect: () => store(saved.filter((one) => one !== current)),
                    danger: true,
                    icon: <Trash2 size={14} aria-hidden="true" />,
                  },
                ]
              : []),
          ],
        ].filter((group) => group.length)}
      />
      {label === undefined ? null : (
        <Dialog
          open
          size="sm"
          onClose={() => setLabel(undefined)}
          title={t('saveView')}
          footer={
            <Button type="submit" form="save-view" size="lg" disabled={!label.trim()}>
              {t('save')}
            </Button>
          }
        >
          <form
            id="save-view"
            className="pb-2"
            onSubmit={(event) => {
              event.preventDefault()
              store([...saved.filter((one) => one.label !== label.trim()), { label: label.trim(), set: now }])
              setLabel(undefined)
            }}
          >
            <TextField label={t('viewName')} value={label} maxLength={40} onChange={(event) => setLabel(event.target.value)} />
          </form>
        </Dialog>
      )}
    </>
  )
}

interface ListToolsProps<R> {
  readonly list: ListParts<R>
  readonly params: AddressParams
  readonly set: (patch: AddressParams) => void
  readonly search: RefObject<HTMLInputElement | null>
}

/** Views, chips, filters and search of a list, all stored in the URL, so that a link shows the same rows. */
export function ListTools<R>({ list, params, set, search }: ListToolsProps<R>) {
  const { views, chips, filters = [] } = list
  const hasFields = filters.length > 0 || list.search !== undefined
  return (
    <div className="grid grid-cols-1 gap-2 px-5 pb-2.5 mobile:px-4">
      {views ? <Views views={views} params={params} set={set} /> : null}
      {chips?.length ? (
        <div className="no-bar flex flex-wrap gap-1.5 mobile:flex-nowrap mobile:overflow-x-auto">
          {chips.map((chip) => (
            <Chip key={`${chip.name}=${chip.value}`} chip={chip} params={params} set={set} />
          ))}
        </div>
      ) : null}
      {hasFields ? (
        <div className="flex flex-wrap items-center gap-2">
          {list.search ? (
            <SearchField words={list.search} value={params['q'] ?? ''} onSearch={(q) => set({ q: q || undefined, open: undefined })} field={search} />
          ) : null}
          {filters.map((filter) => (
            <FilterField
              key={filter.name}
              filter={filter}
              value={params[filter.name] ?? ''}
              onChange={(value) => set({ [filter.name]: value || undefined, open: undefined })}
            />
          ))}
          <SavedViews name={list.name} params={params} set={set} />
        </div>
      ) : null}
    </div>
  )
}

const isSet = (set: AddressParams, params: AddressParams) => Object.entries(set).every(([name, value]) => params[name] === value)

function Views({ views, params, set }: { readonly views: readonly ListView[]; readonly params: AddressParams; readonly set: (patch: AddressParams) => void }) {
  const t = useTexts(kitTexts)
  const names = [...new Set(views.flatMap((view) => Object.keys(view.set)))]
  const now = views
    .filter((view) => isSet(view.set, params))
    .toSorted((a, b) => Object.values(b.set).filter(Boolean).length - Object.values(a.set).filter(Boolean).length)[0]
  return (
    <div role="group" aria-label={t('views')} className="no-bar -mb-px flex gap-5 overflow-x-auto border-b border-line">
      {views.map((view) => (
        <button
          key={view.id}
          type="button"
          aria-pressed={view === now}
          onClick={() => set({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...view.set, open: undefined })}
          className="-mb-px shrink-0 border-b-2 border-transparent py-1.5 text-13 text-fg-2 -outline-offset-2 hover:text-fg aria-pressed:border-brand aria-pressed:font-semibold aria-pressed:text-fg mobile:min-h-11"
        >
          {view.label}
          {view.count === undefined ? null : <span className="num ml-1.5 text-12 font-normal text-fg-3">{view.count}</span>}
        </button>
      ))}
    </div>
  )
}

function Chip({ chip, params, set }: { readonly chip: ListChip; readonly params: AddressParams; readonly set: (patch: AddressParams) => void }) {
  const isOn = params[chip.name] === chip.value
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => set({ [chip.name]: isOn ? undefined : chip.value, open: undefined })}
      className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border border-line bg-surface px-2.5 text-13 text-fg-2 hover:border-control aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-text mobile:h-10"
    >
      {chip.label}
      {chip.count === undefined ? null : <span className="num text-12">{chip.count}</span>}
    </button>
  )
}

const PAUSE_MS = 250

function SearchField({
  words,
  value,
  onSearch,
  field,
}: {
  readonly words: string
  readonly value: string
  readonly onSearch: (text: string) => void
  readonly field: RefObject<HTMLInputElement | null>
}) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onSearch(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  return (
    <label className="relative min-w-56 flex-[0_1_320px] mobile:flex-1">
      <span className="sr-only">{words}</span>
      <Search size={14} strokeWidth={1.75} className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-fg-3" aria-hidden="true" />
      <input
        ref={field}
        type="search"
        className="input pl-8!"
        placeholder={words}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key === 'Enter') onSearch(typed.trim())
        }}
      />
    </label>
  )
}

function FilterField({ filter, value, onChange }: { readonly filter: ConsoleListFilter; readonly value: string; readonly onChange: (value: string) => void }) {
  const t = useTexts(kitTexts)
  if (filter.kind === 'pick')
    return (
      <select aria-label={filter.label} className="input w-auto! max-w-56 cursor-pointer" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('anyOf', { what: filter.label })}</option>
        {filter.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  const field = (
    <input
      key={value}
      type={filter.kind === 'day' ? 'date' : 'text'}
      aria-label={filter.label}
      title={filter.label}
      placeholder={filter.label}
      className={`input ${filter.kind === 'day' ? 'num w-36!' : 'w-40!'}`}
      defaultValue={value}
      onBlur={(event) => event.target.value.trim() !== value && onChange(event.target.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onChange(event.currentTarget.value.trim())}
      onChange={filter.kind === 'day' ? (event) => onChange(event.target.value) : undefined}
    />
  )
  return filter.kind === 'day' ? (
    <span className="inline-flex items-center gap-1.5 text-12 text-fg-3">
      {filter.label}
      {field}
    </span>
  ) : (
    field
  )
}
