import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { SwitchField } from '#ui/fields/switch-field.tsx'
import { KeyCap, kitTexts, screens, setConsoleKeysOn, useConsoleKeysOn, useHasPermission } from '#features/backoffice/console/index.tsx'
import { useKeysDialog } from './keys-open.ts'

/** All keyboard shortcuts, with the switch that turns them off. */
export function KeysDialog() {
  const t = useTexts(kitTexts)
  const may = useHasPermission()
  const isOpen = useKeysDialog((state) => state.isOpen)
  const on = useConsoleKeysOn((state) => state.on)
  const ways = screens.filter((screen) => screen.key && may(screen.permission))
  return (
    <Dialog open={isOpen} onClose={() => useKeysDialog.setState({ isOpen: false })} title={t('allKeys')} size="sm">
      <dl className="text-13">
        <Row keys={['Ctrl', 'K']} words={t('keySearch')} />
        {on ? (
          <>
            <Row keys={['J', 'K']} words={t('keyMove')} />
            <Row keys={['E']} words={t('keyOpen')} />
            <Row keys={['X']} words={t('keyMark')} />
            <Row keys={['/']} words={t('keyFilter')} />
            <Row keys={['Esc']} words={t('keyClose')} />
            <Row keys={['Z']} words={t('keyUndo')} />
            {ways.map((screen) => (
              <Row key={screen.path} keys={['G', screen.key!.toUpperCase()]} words={t('keyGo', { page: t(screen.title) })} />
            ))}
          </>
        ) : null}
      </dl>
      <SwitchField label={t('keysOn')} hint={t('keysOnNote')} checked={on} onChange={setConsoleKeysOn} />
    </Dialog>
  )
}

function Row({ keys, words }: { readonly keys: readonly string[]; readonly words: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-b border-dashed border-line py-1">
      <dt className="text-fg-2">{words}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <KeyCap key={key}>{key}</KeyCap>
        ))}
      </dd>
    </div>
  )
}
