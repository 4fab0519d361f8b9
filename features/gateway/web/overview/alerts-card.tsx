import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { gatewayTexts } from '../../texts.ts'
import { AlertDeliveries } from './alert-deliveries.tsx'
import { AlertSecret } from './alert-secret.tsx'
import { useAlerts } from './use-alerts.ts'

/** When alerts are sent and where to. */
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
