import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { create } from 'zustand'
import { useTexts } from '#platform/web/i18n.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { SwitchField } from '#ui/fields/switch-field.tsx'
import { Key, kitTexts, screens, setKeysOn, useKeys, useKeysOn, useMay } from '#features/backoffice/console/index.tsx'

const useOpen = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))
export const openKeys = () => useOpen.setState({ isOpen: true })
const PAIR_MS = 1_500

/** `?` shows all keys; G and a letter goes to a screen. */
export function ShortcutKeys() {
  const router = useRouter()
  const may = useMay()
  const went = useRef(0)
  const ways = screens.filter((screen) => screen.key && may(screen.permission))
  const isGoing = () => Date.now() - went.current < PAIR_MS
  useKeys({
    '?': openKeys,
    'g': () => {
      went.current = Date.now()
    },
    ...Object.fromEntries(
      ways.map((screen) => [
        screen.key!,
        () => {
          if (!isGoing()) return false
          went.current = 0
          return router.navigate({ to: screen.path as never })
        },
      ]),
    ),
  })
  return <KeysDialog />
}

function KeysDialog() {
  const t = useTexts(kitTexts)
  const may = useMay()
  const isOpen = useOpen((state) => state.isOpen)
  const on = useKeysOn((state) => state.on)
  const ways = screens.filter((screen) => screen.key && may(screen.permission))
  return (
    <Dialog open={isOpen} onClose={() => useOpen.setState({ isOpen: false })} title={t('allKeys')} size="sm">
      <dl className="text-13">
        <Row keys={['Ctrl', 'K']} words={t('keySearch')} />
        {on ? (
          <>
            <Row keys={['J', 'K']} words={t('keyMove')} />
            <Row keys={['E']} words={t('keyOpen')} />
            <Row keys={['/']} words={t('keyFilter')} />
            <Row keys={['Esc']} words={t('keyClose')} />
            <Row keys={['Z']} words={t('keyUndo')} />
            {ways.map((screen) => (
              <Row key={screen.path} keys={['G', screen.key!.toUpperCase()]} words={t('keyGo', { page: t(screen.title) })} />
            ))}
          </>
        ) : null}
      </dl>
      <SwitchField label={t('keysOn')} hint={t('keysOnNote')} checked={on} onChange={setKeysOn} />
    </Dialog>
  )
}

function Row({ keys, words }: { readonly keys: readonly string[]; readonly words: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-b border-dashed border-line py-1">
      <dt className="text-fg-2">{words}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <Key key={key}>{key}</Key>
        ))}
      </dd>
    </div>
  )
}
