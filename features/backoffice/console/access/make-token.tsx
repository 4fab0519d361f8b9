import { useState } from 'react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { OPERATOR_PERMISSIONS } from '../../permissions.ts'
import type { OperatorPermission } from '../../permissions.ts'
import { runWithStepUp } from '../kit/command/step-up-store.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission } from '../kit/use-me.ts'
import { ownApi } from './own-api.ts'
import { ownTexts } from './own-texts.ts'

const DAYS = '90'

/** Creates an API token with a subset of the operator's own permissions; the token is shown once. */
export function MakeToken({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(ownTexts)
  const say = useConsoleFormatter()
  const may = useHasPermission()
  const [name, setName] = useState('')
  const [days, setDays] = useState(DAYS)
  const [chosen, setChosen] = useState<readonly OperatorPermission[]>([])
  const [token, setToken] = useState<string>()
  const { run, isRunning, failure } = useSubmit()
  const isReady = name.trim() !== '' && /^[1-9]\d{0,2}$/.test(days) && Number(days) <= 366 && chosen.length > 0
  const make = () =>
    void run(async () => {
      const made = await runWithStepUp(() => ownApi.makeToken({ name: name.trim(), days: Number(days), permissions: [...chosen] }))
      setToken(made.token)
      await queryClient.invalidateQueries({ queryKey: ['own'] })
    })
  if (token !== undefined)
    return (
      <Dialog
        open
        onClose={onClose}
        closable={false}
        title={t('tokenMade')}
        description={t('tokenOnce')}
        footer={
          <Button size="lg" onClick={onClose}>
            {t('done')}
          </Button>
        }
      >
        <p className="num flex items-center gap-2 rounded-control bg-sunken p-3 break-all whitespace-normal">
          {token}
          <CopyButton iconOnly text={token} />
        </p>
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('makeToken')}
      description={t('tokensAbout')}
      footer={
        <Button size="lg" loading={isRunning} disabled={!isReady} onClick={make}>
          {t('makeToken')}
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-3 pb-2">
        <TextField label={t('tokenName')} value={name} maxLength={80} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        <TextField
          label={t('tokenDays')}
          value={days}
          error={failure?.message}
          inputMode="numeric"
          maxLength={3}
          className="num"
          onChange={(event) => setDays(event.target.value)}
        />
        <fieldset>
          <legend className="mb-1 text-14 font-medium">{t('tokenMay')}</legend>
          <div className="grid grid-cols-2 gap-x-4">
            {OPERATOR_PERMISSIONS.filter((one) => may(one)).map((one) => (
              <CheckboxField
                key={one}
                label={say.permission(one)}
                checked={chosen.includes(one)}
                onChange={(event) => setChosen(event.target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))}
              />
            ))}
          </div>
        </fieldset>
      </div>
    </Dialog>
  )
}
