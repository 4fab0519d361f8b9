import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { auditContract } from '../../contract-audit.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { runWithStepUp } from '../kit/command/step-up-store.ts'
import { customerTexts } from './texts.ts'

const api = createConsoleApi({ viewAs: auditContract.viewAs })
const MIN_REASON_LENGTH = 10

/** Opens the customers' site as this customer sees it, in a new window. */
export function ViewAsDialog({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
  const t = useTexts(customerTexts)
  const [reason, setReason] = useState('')
  const { run, isRunning, failure } = useSubmit()
  const open = () =>
    void run(async () => {
      const { url } = await runWithStepUp(() => api.viewAs({ userId, reason: reason.trim() }))
      window.open(url, '_blank', 'noopener,noreferrer')
      onClose()
    })
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('viewAsTitle')}
      description={t('viewAsAbout')}
      footer={
        <Button size="lg" type="submit" form="view-as" loading={isRunning} disabled={reason.trim().length < MIN_REASON_LENGTH}>
          {t('viewAsDo')}
        </Button>
      }
    >
      <form
        id="view-as"
        className="pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          open()
        }}
      >
        <TextField
          label={t('reason')}
          hint={t('reasonHint')}
          error={failure?.message}
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
