import { useEffect, useId, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { gatewayTexts } from '../../texts.ts'
import { gatewayApi } from '../gateway-api.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { useKeysChanged } from '../queries.ts'

const DAY_MS = 86_400_000

/** Deleting cannot be taken back; a key in use asks for its name. */
export function DeleteKeyDialog() {
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
