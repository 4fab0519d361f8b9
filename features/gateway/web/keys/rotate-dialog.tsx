import { useEffect, useState } from 'react'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { gatewayTexts } from '../../texts.ts'
import { keysApi } from '../gateway-api.ts'
import { useKeysChanged } from '../queries.ts'
import { useKeyDialogs } from './key-dialogs.ts'

/** Says what will happen, then shows the new secret once. Pressed again after a lost reply, it asks for the same one. */
export function RotateDialog() {
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
