import { useEffect, useState } from 'react'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { layerTexts } from '../layer-texts.ts'
import { contactSupport } from './contact.ts'
import { ComplaintForm } from './complaint-form.tsx'

const FORM = 'complaint-form'

/** First the quicker way, then the report (specification 1, section 2). Anonymous people never get here: see gates.ts. */
export function ComplaintDialog() {
  const t = useTexts(layerTexts)
  const asked = useDialog('complaint')
  const open = asked !== undefined
  const [reporting, setReporting] = useState(false)
  const [sending, setSending] = useState(false)
  useEffect(() => {
    if (open) setReporting(false)
  }, [open])
  const close = () => closeDialog('complaint')
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('complaintTitle')}
      description={reporting ? undefined : t('complaintAsk')}
      size={reporting ? 'md' : 'sm'}
      footer={
        reporting ? (
          <Button type="submit" form={FORM} loading={sending}>
            {t('complaintSend')}
          </Button>
        ) : (
          <>
            <Button variant="secondary" onClick={() => setReporting(true)}>
              {t('complaintReport')}
            </Button>
            <Button
              onClick={() => {
                close()
                contactSupport(asked?.orderNo)
              }}
            >
              {t('complaintContact')}
            </Button>
          </>
        )
      }
    >
      {reporting ? (
        <QueryProvider>
          <ComplaintForm id={FORM} orderNo={asked?.orderNo} onBusy={setSending} onDone={close} />
        </QueryProvider>
      ) : null}
    </Dialog>
  )
}
