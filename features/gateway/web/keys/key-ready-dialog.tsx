import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { gatewayTexts } from '../../texts.ts'
import { buildCherryLink, buildSwitchLink } from './client-links.ts'
import { useKeyDialogs, type NewApiKey } from './key-dialogs.ts'
import { useModelPrices } from '../queries.ts'
import { DEFAULT_SNIPPET_MODEL, buildKeySnippets } from './snippets.ts'

/** The one time a secret is shown. It closes by its button only, and then the secret is gone. */
export function KeyReadyDialog() {
  const t = useTexts(gatewayTexts)
  const { made, close } = useKeyDialogs()
  return (
    <Dialog
      open={made !== undefined}
      onClose={close}
      closable={false}
      size="lg"
      title={t(made?.oldEndsAt ? 'keyRotatedTitle' : 'keyReadyTitle')}
      footer={<Button onClick={close}>{t('keySaved')}</Button>}
    >
      {made ? <Ready made={made} /> : null}
    </Dialog>
  )
}

function Ready({ made }: { readonly made: NewApiKey }) {
  const t = useTexts(gatewayTexts)
  const lang = useLang()
  const mobile = useIsMobile()
  const prices = useModelPrices()
  const origin = location.origin
  const target = { origin, secret: made.apiToken, name: lang === 'zh' ? site.brandZh : site.brand }
  const words = { other: t('otherClients'), base: t('snippetBase'), key: t('snippetKey'), models: t('snippetModels') }
  const rows = (prices.data?.rowList ?? []).filter((row) => row.kind === 'chat' && row.lifecycle === 'active')
  const models = rows.map((row) => row.modelValue)
  const [chosen, choose] = useState(DEFAULT_SNIPPET_MODEL.id)
  const row = rows.find((one) => one.modelValue === chosen)
  const model = row === undefined ? DEFAULT_SNIPPET_MODEL : { id: chosen, vendor: row.vendor }
  // Made when pressed: a link in the page would keep the secret in it.
  const go = (make: () => string) => () => {
    location.href = make()
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="flex items-start gap-2 text-14 text-warning">
        <TriangleAlert size={16} strokeWidth={1.75} className="mt-[3px] shrink-0" aria-hidden="true" />
        <span>
          {t('keyReadyWarn')}
          {made.oldEndsAt ? ` ${t('keyRotatedUntil', { time: displayTime(made.oldEndsAt) })}` : null}
        </span>
      </p>
      <div className="flex items-center gap-3 rounded-card border border-line bg-sunken p-4 mobile:flex-col mobile:items-stretch">
        <code aria-label={t('keySecretLabel')} className="min-w-0 flex-1 font-mono text-14 break-all whitespace-normal select-all">
          {made.apiToken}
        </code>
        <CopyButton text={made.apiToken} label={t('copySecret')} variant="primary" size="md" />
      </div>
      {mobile ? null : (
        <div>
          <p className="text-14 font-semibold">{t('importTitle')}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="sm" variant="secondary" onClick={go(() => buildCherryLink(target))}>
              {t('importCherry')}
            </Button>
            <Button size="sm" variant="secondary" onClick={go(() => buildSwitchLink('claude', target))}>
              {t('importSwitchClaude')}
            </Button>
            <Button size="sm" variant="secondary" onClick={go(() => buildSwitchLink('codex', target))}>
              {t('importSwitchCodex')}
            </Button>
            <Button size="sm" variant="secondary" onClick={go(() => buildSwitchLink('gemini', target))}>
              {t('importSwitchGemini')}
            </Button>
          </div>
          <p className="mt-1.5 text-13 text-fg-3">{t('importWarn')}</p>
        </div>
      )}
      <div className="grid grid-cols-1 gap-3">
        {models.includes(DEFAULT_SNIPPET_MODEL.id) ? (
          <PickField label={t('snippetFor')} options={models.map((id) => ({ value: id, label: id }))} value={chosen} onChange={choose} />
        ) : null}
        <CodeBlock key={model.vendor} label={t('snippets')} snippets={buildKeySnippets(origin, made.apiToken, words, models, model)} />
      </div>
    </div>
  )
}
