import { useEffect, useId, useState, type FormEvent } from 'react'
import { isApiError, isUncertain } from '#platform/web/api-error.ts'
import { openDialog } from '#platform/web/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { randomKey } from '#platform/web/idempotency.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.ts'
import { keyName } from '../contract.ts'
import { gatewayTexts } from '../texts.ts'
import { gatewayApi } from './gateway-api.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { useKeysChanged } from './queries.ts'

/** Creates a key, or renames one. Pressed again after a lost reply, it asks for the same key. */
export function KeyNameDialog({ balance }: { readonly balance: string | undefined }) {
  const t = useTexts(gatewayTexts)
  const { creating, renaming, show, close } = useKeyDialogs()
  const changed = useKeysChanged()
  const form = useId()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [requestKey, setRequestKey] = useState(randomKey)
  const open = creating || renaming !== undefined
  useEffect(() => {
    if (!open) return
    setName(renaming?.keyName ?? '')
    setError(undefined)
    setRequestKey(randomKey())
  }, [open, renaming])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const parsed = keyName.safeParse(name)
    if (!parsed.success) return setError(t('keyNameBad'))
    setBusy(true)
    try {
      if (renaming) {
        await gatewayApi.updateKey({ keyId: renaming.keyId, keyName: parsed.data })
        close()
        toast.success(t('keyRenamed'))
      } else {
        const made = await gatewayApi.generateKey({ keyName: parsed.data, requestKey })
        show({ apiToken: made.apiToken, keyName: made.keyName })
      }
      await changed()
    } catch (failure) {
      if (!isUncertain(failure)) setRequestKey(randomKey())
      setError(isApiError(failure) ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  const broke = creating && balance !== undefined && !/[1-9]/.test(balance)
  if (broke) {
    return (
      <Dialog
        open
        onClose={close}
        size="sm"
        title={t('needBalanceTitle')}
        description={t('needBalanceBody')}
        footer={
          <>
            <Button variant="secondary" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              onClick={() => {
                close()
                openDialog('recharge')
              }}
            >
              {t('goRecharge')}
            </Button>
          </>
        }
      />
    )
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      size="sm"
      title={renaming ? t('renameKey') : t('createKey')}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={form} loading={busy}>
            {renaming ? t('save') : t('create')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t('keyNameLabel')}
          hint={t('keyNameHint')}
          error={error}
          value={name}
          maxLength={60}
          autoComplete="off"
          required
          onChange={(event) => {
            setName(event.target.value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
