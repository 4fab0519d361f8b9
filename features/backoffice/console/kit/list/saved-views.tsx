import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import type { AddressParams } from '../address.ts'
import { kitTexts } from '../texts.ts'
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
export function SavedViews({ name, params, set }: { readonly name: string; readonly params: AddressParams; readonly set: (patch: AddressParams) => void }) {
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
