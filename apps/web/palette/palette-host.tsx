import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { layerTexts } from '../layer-texts.ts'
import { Palette } from './palette.tsx'

/** Ctrl/Cmd+K. Near the top and of a steady height, so that the list does not jump while typing. */
export function PaletteHost() {
  const t = useTexts(layerTexts)
  const asked = useDialog('palette')
  const open = asked !== undefined
  const last = useRef({ asked, turn: 0 })
  // Opened again while it fades: as new, not with what was typed before.
  if (asked && asked !== last.current.asked) last.current = { asked, turn: last.current.turn + 1 }
  const close = () => closeDialog('palette')
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) close()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop z-2900" />
        <Dialog.Viewport className="fixed inset-0 z-2999 flex items-start justify-center desktop:p-6 desktop:pt-[12vh]">
          <Dialog.Popup className="dialog-popup flex w-full flex-col overflow-hidden bg-surface shadow-dialog desktop:max-w-[640px] desktop:rounded-dialog mobile:h-full">
            <Dialog.Title className="sr-only">{t('palette')}</Dialog.Title>
            <QueryProvider>
              <Palette key={last.current.turn} onClose={close} />
            </QueryProvider>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
