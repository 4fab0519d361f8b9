import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { screens, useConsoleKeys, useHasPermission } from '#features/backoffice/console/index.tsx'
import { openKeysDialog, useKeysDialog } from './keys-open.ts'

const KeysDialog = lazy(() => import('./keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })))
const PAIR_MS = 1_500

/** `?` shows all keys; G and a letter goes to a screen. */
export function ShortcutKeys() {
  const router = useRouter()
  const may = useHasPermission()
  const went = useRef(0)
  const ways = screens.filter((screen) => screen.key && may(screen.permission))
  const isGoing = () => Date.now() - went.current < PAIR_MS
  useConsoleKeys({
    '?': openKeysDialog,
    'g': () => {
      went.current = Date.now()
    },
    ...Object.fromEntries(
      ways.map((screen) => [
        screen.key!,
        () => {
          if (!isGoing()) return false
          went.current = 0
          return router.navigate({ to: screen.path })
        },
      ]),
    ),
  })
  const isOpen = useKeysDialog((state) => state.isOpen)
  return <Suspense>{isOpen ? <KeysDialog /> : null}</Suspense>
}
