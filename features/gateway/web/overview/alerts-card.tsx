import { Link } from '@tanstack/react-router'
import { useId, useEffect, useState } from 'react'
import type { FormEvent } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { gatewayTexts } from '../../texts.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { Time } from '#platform/web/time.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usdAmount } from '#platform/shared/contract.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { toast } from '#ui/layers/toast.ts'
import { alertsApi } from '../gateway-api.ts'

const QUERY_KEY = ['gateway', 'alerts']

/** State, form and submission of the alert settings. */
function useAlerts() {
  const t = useTexts(gatewayTexts)
  const client = useQueryClient()
  const settings = useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => alertsApi.alerts({}, { signal }) })
  const [low, setLow] = useState('')
  const [hook, setHook] = useState('')
  const [wrong, setWrong] = useState<{ low?: string; hook?: string }>({})
  const [busy, setBusy] = useState(false)
  const [secret, setSecret] = useState<string>()
  const saved = settings.data
  const savedLow = saved?.lowBalance ?? null
  const savedHook = saved?.webhookUrl ?? ''
  useEffect(() => {
    setLow(savedLow === null ? '' : showUsd(savedLow).replaceAll(',', ''))
    setHook(savedHook)
  }, [savedLow, savedHook])

  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
      await client.invalidateQueries({ queryKey: QUERY_KEY })
    } catch (error) {
      setWrong({ hook: isApiError(error) ? error.message : String(error) })
    } finally {
      setBusy(false)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (low.trim() !== '' && !usdAmount.safeParse(low.trim()).success) return setWrong({ low: t('alertLowBad') })
    setWrong({})
    void act(async () => {
      const input = { lowBalance: low.trim() || null, webhookUrl: hook.trim() || null }
      const made = await withStepUp(() => alertsApi.saveAlerts(input))
      if (!made) return
      toast.success(t('alertsSaved'))
      if (made.webhookSecret !== null) setSecret(made.webhookSecret)
    })
  }
  const test = () =>
    void act(async () => {
      await alertsApi.testWebhook({})
      toast.success(t('alertTestSent'))
    })

  return { settings, saved, low, setLow, hook, setHook, wrong, busy, save, test, secret, forgetSecret: () => setSecret(undefined) }
}

const HOOK_TEXT = { 'balance.low': 'hook_balance.low', 'key.budget': 'hook_key.budget', 'test': 'hook_test' } as const
const HOOK_STATE_TEXT = { waiting: 'hookState_waiting', sent: 'hookState_sent', failed: 'hookState_failed' } as const
const HOOK_PROBLEM_TEXT = {
  status: 'hookProblem_status',
  silent: 'hookProblem_silent',
  connection: 'hookProblem_connection',
  name: 'hookProblem_name',
  address: 'hookProblem_address',
  removed: 'hookProblem_removed',
  frozen: 'hookProblem_frozen',
  crowded: 'hookProblem_crowded',
} as const

type Deliveries = NonNullable<ReturnType<typeof useAlerts>['saved']>['deliveries']

/** Results of the latest webhook deliveries. */
function AlertDeliveries({ deliveries }: { readonly deliveries: Deliveries }) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="mt-4 border-t border-dashed border-line pt-4">
      <h3 className="text-14 font-medium">{t('alertDeliveries')}</h3>
      <ul className="mt-2 grid gap-2 text-13">
        {deliveries.map((one, at) => (
          <li key={`${one.at} ${at}`} className="flex flex-wrap items-baseline gap-x-3">
            <Time at={one.at} />
            <span>{t(HOOK_TEXT[one.event])}</span>
            <span className={one.state === 'failed' ? 'text-danger' : 'text-fg-2'}>{t(HOOK_STATE_TEXT[one.state])}</span>
            {one.attempts > 1 ? <span className="text-fg-3">{t('hookTries', { count: one.attempts })}</span> : null}
            {one.problem === null ? null : (
              <span className="text-fg-3 [overflow-wrap:anywhere]">{t(HOOK_PROBLEM_TEXT[one.problem.code], { detail: one.problem.detail })}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface AlertSecretProps {
  readonly secret: string | undefined
  readonly onClose: () => void
}

/** Shows a webhook's secret once, in a dialog that only its button closes. */
function AlertSecret({ secret, onClose }: AlertSecretProps) {
  const t = useTexts(gatewayTexts)
  return (
    <Dialog
      open={secret !== undefined}
      onClose={onClose}
      closable={false}
      title={t('alertSecretTitle')}
      footer={<Button onClick={onClose}>{t('keySaved')}</Button>}
    >
      <p className="text-14 text-warning">{t('alertSecretWarn')}</p>
      <div className="mt-4 flex items-center gap-3 rounded-card border border-line bg-sunken p-4 mobile:flex-col mobile:items-stretch">
        <code className="min-w-0 flex-1 font-mono text-14 break-all select-all">{secret}</code>
        <CopyButton text={secret ?? ''} label={t('copySecret')} variant="primary" size="md" />
      </div>
      <p className="mt-3 mb-2 text-13">
        <Link to="/help/$slug" params={{ slug: 'alerts' }} hash="verify" target="_blank" className="link">
          {t('alertsHelp')}
        </Link>
      </p>
    </Dialog>
  )
}

/** Settings for when and where alerts are sent. */
export function AlertsCard() {
  const t = useTexts(gatewayTexts)
  const form = useId()
  const { settings, saved, low, setLow, hook, setHook, wrong, busy, save, test, secret, forgetSecret } = useAlerts()
  return (
    <section aria-labelledby={`${form}-title`} className="card p-5">
      <h2 id={`${form}-title`} className="text-16 font-semibold">
        {t('alertsTitle')}
      </h2>
      <p className="mt-1 text-13 text-fg-3">
        {t('alertsAbout')}{' '}
        <Link to="/help/$slug" params={{ slug: 'alerts' }} target="_blank" className="link">
          {t('alertsHelp')}
        </Link>
      </p>
      {settings.error ? <ErrorState error={settings.error} onRetry={() => void settings.refetch()} /> : null}
      <form id={form} onSubmit={save} noValidate className="mt-4 grid gap-4 desktop:grid-cols-[1fr_2fr_auto] desktop:items-start">
        <TextField
          label={t('alertLow')}
          hint={t('alertLowHint')}
          placeholder={t('alertLowNone')}
          inputMode="decimal"
          autoComplete="off"
          maxLength={9}
          value={low}
          error={wrong.low}
          onChange={(event) => setLow(event.target.value)}
        />
        <TextField
          label={t('alertHook')}
          hint={t('alertHookHint')}
          type="url"
          autoComplete="off"
          maxLength={500}
          value={hook}
          error={wrong.hook}
          onChange={(event) => setHook(event.target.value)}
        />
        <div className="flex gap-2 desktop:mt-7">
          <Button type="submit" variant="secondary" loading={busy} disabled={!saved}>
            {t('save')}
          </Button>
          {saved?.webhookUrl ? (
            <Button variant="ghost" disabled={busy} onClick={test}>
              {t('alertTest')}
            </Button>
          ) : null}
        </div>
      </form>
      {saved?.deliveries.length ? <AlertDeliveries deliveries={saved.deliveries} /> : null}
      <AlertSecret secret={secret} onClose={forgetSecret} />
    </section>
  )
}
