import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '../button.tsx'
import { answerConfirm, useConfirmStore } from './confirm.ts'
import { uiTexts } from '../texts.ts'

/** Renders the dialog of `confirm()`. Mounted once by the shell, lazily. */
export function ConfirmHost() {
  const t = useTexts(uiTexts)
  const request = useConfirmStore((state) => state.request)
  const last = useRef(request)
  if (request) last.current = request
  const shown = request ?? last.current
  return (
    <AlertDialog.Root
      open={request !== undefined}
      onOpenChange={(open) => {
        if (!open) answerConfirm(false)
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop z-3000" />
        <AlertDialog.Viewport className="fixed inset-0 z-3001 flex items-end justify-center desktop:items-center desktop:p-6">
          <AlertDialog.Popup className="dialog-popup w-full rounded-t-dialog bg-surface p-6 shadow-dialog desktop:w-[400px] desktop:rounded-dialog mobile:p-5">
            <AlertDialog.Title className="text-18 font-bold">{shown?.title}</AlertDialog.Title>
            {shown?.body ? <AlertDialog.Description className="mt-2 text-14 text-fg-2">{shown.body}</AlertDialog.Description> : null}
            <div className="mt-6 flex justify-end gap-3 mobile:[&>*]:flex-1">
              <Button variant="secondary" onClick={() => answerConfirm(false)}>
                {shown?.cancel ?? t('cancel')}
              </Button>
              <Button variant={shown?.danger ? 'danger' : 'primary'} onClick={() => answerConfirm(true)}>
                {shown?.action}
              </Button>
            </div>
            <div className="safe-bottom" />
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
