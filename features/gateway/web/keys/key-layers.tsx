import { KeyDialog } from './key-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useEffect, useState, useId } from 'react'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { gatewayTexts } from '../../texts.ts'
import { keysApi, gatewayApi } from '../gateway-api.ts'
import { useKeysChanged, useModelPrices } from '../queries.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import type { NewApiKey } from './key-dialogs.ts'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { TriangleAlert } from 'lucide-react'
import { useIsMobile } from '#platform/web/device.ts'
import { site } from '#platform/web/site.ts'
import { displayTime } from '#platform/web/time.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { DEFAULT_SNIPPET_MODEL, buildKeySnippets } from './snippets.ts'
import { chooseBrand } from '#platform/shared/languages.ts'

/** Deep links that pass address and key to a desktop client. They contain the secret: build them on press and do not store them. */
interface Target {
  readonly origin: string
  readonly secret: string
  readonly name: string
}

/** Base64 of UTF-8: btoa alone fails on Chinese names. */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

export function buildCherryLink({ origin, secret, name }: Target): string {
  // One id per site, because identical ids collide in Cherry Studio.
  const id = `mingxi-${new URL(origin).host.replace(/[^a-z0-9]+/gi, '-')}`
  const data = toBase64(JSON.stringify({ id, baseUrl: origin, apiKey: secret, name, type: 'openai' }))
  return `cherrystudio://providers/api-keys?v=1&data=${encodeURIComponent(data)}`
}

export function buildSwitchLink(app: 'claude' | 'codex' | 'gemini', { origin, secret, name }: Target): string {
  const query = new URLSearchParams({ resource: 'provider', app, name, homepage: origin, endpoint: app === 'codex' ? `${origin}/v1` : origin, apiKey: secret })
  return `ccswitch://v1/import?${query}`
}

/** The only time that a secret is shown. The dialog closes by its button only, and then the secret is gone. */
function KeyReadyDialog() {
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
  const target = { origin, secret: made.apiToken, name: chooseBrand(lang, site) }
  const words = { other: t('otherClients'), base: t('snippetBase'), key: t('snippetKey'), models: t('snippetModels') }
  const rows = (prices.data?.rowList ?? []).filter((row) => row.kind === 'chat' && row.lifecycle === 'active')
  const models = rows.map((row) => row.modelValue)
  const [chosen, choose] = useState(DEFAULT_SNIPPET_MODEL.id)
  const row = rows.find((one) => one.modelValue === chosen)
  const model = row === undefined ? DEFAULT_SNIPPET_MODEL : { id: chosen, vendor: row.vendor }
  // Built on press: a link in the page would keep the secret in it.
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
        <CodeBlock key={model.vendor} label={t('snippets')} snippets={buildKeySnippets(origin, made.apiToken, { words, models, model })} />
      </div>
    </div>
  )
}

const DAY_MS = 86_400_000

/** Deletes a key, which cannot be undone; a key in use requires typing its name. */
function DeleteKeyDialog() {
  const t = useTexts(gatewayTexts)
  const { deleting, close } = useKeyDialogs()
  const changed = useKeysChanged()
  const field = useId()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    setTyped('')
    setError(undefined)
  }, [deleting])
  const recent = Boolean(deleting?.lastUseAt && Date.now() - Date.parse(deleting.lastUseAt) < DAY_MS)

  const remove = async () => {
    if (!deleting) return
    if (recent && typed.trim() !== deleting.keyName) return setError(t('deleteTypedBad'))
    setBusy(true)
    try {
      await gatewayApi.deleteKey({ keyId: deleting.keyId })
      close()
      toast.success(t('keyDeleted'))
      await changed()
    } catch (failure) {
      setError(isApiError(failure) ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={deleting !== undefined}
      onClose={close}
      size="sm"
      initialFocus={() => document.getElementById(field)?.querySelector('input') ?? true}
      title={t('deleteTitle')}
      description={deleting ? <span className="break-anywhere">{t('deleteBody', { name: deleting.keyName, token: deleting.apiToken })}</span> : undefined}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('cancel')}
          </Button>
          <Button variant="danger" loading={busy} onClick={() => void remove()}>
            {t('deleteKeyWord')}
          </Button>
        </>
      }
    >
      {recent ? (
        <div id={field}>
          <TextField
            label={t('deleteTyped')}
            hint={t('deleteRecent', { name: deleting?.keyName })}
            error={error}
            value={typed}
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.target.value)
              setError(undefined)
            }}
          />
        </div>
      ) : error ? (
        <p role="alert" className="text-14 text-danger">
          {error}
        </p>
      ) : null}
    </Dialog>
  )
}

/** Explains the rotation, then shows the new secret once. A retry after a lost reply returns the same secret. */
function RotateDialog() {
  const t = useTexts(gatewayTexts)
  const { rotating, show, close } = useKeyDialogs()
  const changed = useKeysChanged()
  const [requestKey, setRequestKey] = useState(createRandomKey)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    setError(undefined)
    setRequestKey(createRandomKey())
  }, [rotating])

  const rotate = async () => {
    if (!rotating) return
    setBusy(true)
    try {
      const made = await withStepUp(() => keysApi.rotateKey({ keyId: rotating.keyId, requestKey }))
      if (!made) return
      show({ apiToken: made.apiToken, keyName: made.keyName, oldEndsAt: made.oldEndsAt })
      await changed()
    } catch (failure) {
      if (!isUncertain(failure)) setRequestKey(createRandomKey())
      setError(isApiError(failure) ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={rotating !== undefined}
      onClose={close}
      size="sm"
      title={t('rotateTitle')}
      description={rotating ? <span className="break-anywhere">{t('rotateOf', { name: rotating.keyName, token: rotating.apiToken })}</span> : undefined}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('cancel')}
          </Button>
          <Button loading={busy} onClick={() => void rotate()}>
            {t('rotate')}
          </Button>
        </>
      }
    >
      <ol className="grid list-decimal gap-1.5 pb-3 pl-5 text-14 text-fg-2">
        <li>{t('rotateStep1')}</li>
        <li>{t('rotateStep2')}</li>
        <li>{t('rotateStep3')}</li>
      </ol>
      {error ? (
        <p role="alert" className="pb-3 text-14 text-danger">
          {error}
        </p>
      ) : null}
    </Dialog>
  )
}

/** All dialogs about keys. */
export function KeyLayers({ balance }: { readonly balance: string | undefined }) {
  return (
    <>
      <KeyDialog balance={balance} />
      <RotateDialog />
      <TestDialog />
      <DeleteKeyDialog />
      <KeyReadyDialog />
    </>
  )
}
