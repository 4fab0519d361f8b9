import { useLocation } from '@tanstack/react-router'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { layerTexts } from '../layer-texts.ts'
import { GO_SHORTCUTS, CARD_SHORTCUTS, setShortcutsOn, SINGLE_SHORTCUTS, useShortcutsOn } from './key-map.ts'
import { MOD_KEY } from './mod-key.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type Word = TextKeyOf<typeof layerTexts>

/** Dialog of `?`: lists the keyboard shortcuts, with the switch that turns single keys off. */
export function ShortcutsDialog() {
  const t = useTexts(layerTexts)
  const open = useDialog('shortcuts') !== undefined
  const on = useShortcutsOn((state) => state.on)
  const { pathname } = useLocation()
  return (
    <Dialog open={open} onClose={() => closeDialog('shortcuts')} title={t('shortcuts')} size="md">
      <dl className="text-14">
        <Row keys={[MOD_KEY, 'K']} text="palette" />
        <Row keys={['Esc']} text="closeTop" />
        {on && pathname === '/card' ? CARD_SHORTCUTS.map((key) => <Row key={key.text} keys={key.keys} text={key.text} />) : null}
        {on ? [...SINGLE_SHORTCUTS, ...GO_SHORTCUTS].map((key) => <Row key={key.command} keys={key.keys} text={key.text} />) : null}
      </dl>
      <label className="mt-4 flex cursor-pointer items-start gap-2.5 rounded-card bg-sunken px-4 py-3 text-14">
        <input type="checkbox" checked={on} onChange={(event) => setShortcutsOn(event.target.checked)} className="mt-[3px] size-4 shrink-0 accent-brand" />
        <span>
          {t('keysOn')}
          <span className="block text-13 text-fg-3">{t('keysOnNote')}</span>
        </span>
      </label>
    </Dialog>
  )
}

function Row({ keys, text }: { readonly keys: readonly string[]; readonly text: Word }) {
  const t = useTexts(layerTexts)
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-b border-dashed border-line py-1.5">
      <dt className="text-fg-2">{t(text)}</dt>
      <dd className="flex shrink-0 items-center gap-1">
        {keys.map((key) => (
          <kbd key={key} className="kbd">
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  )
}
