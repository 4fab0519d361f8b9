import { openDialog } from '#platform/web/state/dialogs.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { ensureRealBrowser } from '#platform/web/state/outside.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError } from '../fields/submit-button.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { securityApi } from '../security/api.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'

/** Exports the user's data, or closes the account. */
export function DataSection() {
  const t = useTexts(securityTexts)
  const submit = useSubmit()
  const Heading = useIsMobile() ? 'h2' : 'h3'
  const take = () =>
    submit.run(async () => {
      if (!ensureRealBrowser('download')) return
      const found = await withStepUp(() => securityApi.exportData())
      if (!found) return
      downloadText(`mingxi-${found.generatedAt.slice(0, 10)}.json`, JSON.stringify(found, null, 2))
      toast.success(t('data_exported'))
    })
  return (
    <div className="grid gap-4">
      <div className="card p-5 mobile:p-4">
        <Heading className="text-16 font-semibold">{t('data_export')}</Heading>
        <p className="mt-1 mb-4 text-14 text-fg-2">{t('data_export_lead')}</p>
        {submit.failure ? (
          <div className="mb-4">
            <FormError message={submit.failure.message} />
          </div>
        ) : null}
        <Button variant="secondary" className="mobile:w-full" loading={submit.isRunning} onClick={() => void take()}>
          {t('data_export_action')}
        </Button>
      </div>
      <div className="card p-5 mobile:p-4">
        <Heading className="text-16 font-semibold">{t('data_delete')}</Heading>
        <p className="mt-1 mb-4 text-14 text-fg-2">{t('data_delete_lead')}</p>
        <Button variant="secondary" className="text-danger! mobile:w-full" onClick={() => openDialog('deleteAccount')}>
          {t('data_delete_action')}
        </Button>
      </div>
    </div>
  )
}

function downloadText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
