import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { keep, kept } from '#platform/web/state/storage.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import type { Params } from '../address.ts'
import { kitTexts } from '../texts.ts'
import { askedFor } from './use-list.ts'

interface Saved {
  readonly label: string
  readonly set: Params
}

const YEAR_MS = 31_536_000_000
const keyOf = (name: string) => `views.${name}`

function read(name: string): readonly Saved[] {
  try {
    return JSON.parse(kept(keyOf(name)) ?? '[]') as Saved[]
  } catch {
    return []
  }
}

/** Named sets of filters, kept in the browser. A view is a plain URL, so operators can share it as a link. */
export function SavedViews({ name, params, set }: { readonly name: string; readonly params: Params; readonly set: (patch: Params) => void }) {
  const t = useTexts(kitTexts)
  const [saved, setSaved] = useState(() => read(name))
  const [label, setLabel] = useState<string>()
  const now = askedFor(params)
  const store = (next: readonly Saved[]) => {
    keep(keyOf(name), JSON.stringify(next), YEAR_MS)
    setSaved(next)
  }
  const show = (view: Saved) => set({ ...Object.fromEntries(Object.keys(params).map((one) => [one, undefined])), ...view.set })
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
