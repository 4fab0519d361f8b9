import { useState } from 'react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { runWithStepUp } from '../kit/command/step-up-store.ts'
import { createPasskey } from '../kit/passkey.ts'
import { ownApi } from './own-api.ts'
import { ownTexts } from './own-texts.ts'

/** Form that names a passkey and has the browser create it. */
export function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(ownTexts)
  const [name, setName] = useState('')
  const { run, isRunning, failure } = useSubmit()
  const add = () =>
    void run(async () => {
      const { id, options } = await runWithStepUp(() => ownApi.passkeyOptions())
      const credential = await createPasskey(options)
      if (!credential) return
      await ownApi.addPasskey({ id, name: name.trim(), credential })
      toast.success(t('passkeyAdded'))
      await queryClient.invalidateQueries({ queryKey: ['own'] })
      onClose()
    })
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('addPasskey')}
      footer={
        <Button size="lg" type="submit" form="add-passkey" loading={isRunning} disabled={!name.trim()}>
          {t('add')}
        </Button>
      }
    >
      <form
        id="add-passkey"
        className="pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <TextField
          label={t('passkeyName')}
          hint={t('passkeyHint')}
          error={failure?.message}
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
