import { FileJson } from 'lucide-react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { proxyTexts } from '../texts.ts'
import { proxyApi } from './proxy-api.ts'

/** For those who switch with SwitchyOmega: a file with what is in use now. */
export function SettingsFile({ hasAccount }: { readonly hasAccount: boolean }) {
  const t = useTexts(proxyTexts)
  const { run, isRunning } = useSubmit()
  const save = async () => {
    const problem = await run(async () => {
      const { body, type, filename } = await proxyApi.switchyOmega({})
      if (body instanceof Uint8Array) saveBlob(new Blob([body], { type }), filename)
    })
    if (problem) toast.warning(isApiError(problem) ? problem.message : t('networkNotDone'))
  }
  return (
    <section aria-labelledby="settings-file" className="card flex flex-wrap items-center gap-4 p-5">
      <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-sunken text-fg-2">
        <FileJson size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-[1_1_220px]">
        <h2 id="settings-file" className="text-16 font-bold">
          {t('omegaTitle')}
        </h2>
        <p className="mt-0.5 text-14 text-fg-2">{t(hasAccount ? 'omegaAbout' : 'omegaLater')}</p>
      </div>
      <Button variant="secondary" loading={isRunning} disabled={!hasAccount} onClick={() => void save()}>
        {t('omegaSave')}
      </Button>
    </section>
  )
}
